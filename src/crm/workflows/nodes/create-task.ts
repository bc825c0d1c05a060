/** create_task: makes a task for the contact, due so long after this moment. */
import { readInput } from "../../../kit/input/read-input.ts";
import { readDuration } from "../../../kit/time/duration.ts";
import { taskInput } from "../../tasks/task.schema.ts";
import { createTask as create } from "../../tasks/task.service.ts";
import type { Action } from "./action.ts";

export const createTaskAction: Action<"create_task"> = async (change, node, { contactId, fill }) => {
  const due = node.due_in === undefined ? null : new Date(change.now.getTime() + readDuration(node.due_in)!);
  const input = readInput(taskInput, {
    contact_id: contactId,
    title: await fill(node.title),
    due_at: due === null ? null : due.toISOString(),
    assignee_user_id: node.assignee_user_id ?? null,
  });
  await create(change, input);
  return "done";
};
