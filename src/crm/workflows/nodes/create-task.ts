/** create_task: makes a task for the contact, due a span of time after this moment. */
import { z } from "zod";
import { nullableId, text } from "../../../kit/input/fields.ts";
import { readInput } from "../../../kit/input/read-input.ts";
import { readDuration } from "../../../kit/time/duration.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { taskInput } from "../../tasks/task.schema.ts";
import { createTask } from "../../tasks/task.service.ts";
import { quoted } from "../definition/excerpt.ts";
import { defineAction } from "../definition/node-type.ts";
import { duration, next, templates } from "../definition/parts.schema.ts";

export const createTaskNode = defineAction({
  type: "create_task",
  scopes: () => ["tasks.write"],
  schema: z
    .strictObject({
      type: z.literal("create_task"),
      title: text(limits.taskTitle).describe(templates),
      due_in: duration.optional(),
      assignee_user_id: nullableId(),
      next,
    })
    .describe("Creates a task for the contact."),
  about: "creates a task for the contact",
  fields: ({ title, assignee_user_id }) => [
    { field: "title", holds: "template", value: title },
    { field: "assignee_user_id", holds: "user", value: assignee_user_id },
  ],
  summary: ({ title, due_in }) => `create task ${quoted(title)}${due_in === undefined ? "" : `, due in ${due_in}`}`,
  async perform(change, node, { contactId, fill }) {
    const due = node.due_in === undefined ? null : new Date(change.now.getTime() + readDuration(node.due_in)!);
    const input = readInput(taskInput, {
      contact_id: contactId,
      title: await fill(node.title),
      due_at: due === null ? null : due.toISOString(),
      assignee_user_id: node.assignee_user_id ?? null,
    });
    await createTask(change, input);
    return "done";
  },
});
