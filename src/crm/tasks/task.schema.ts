/** The input of a task. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { filterFlag, filterId, flag, givenTime, nullableId, text } from "../../kit/input/fields.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { limits } from "../../vocabulary/limits.ts";

const shared = {
  due_at: givenTime().describe(
    "A time without an offset is in the location's time zone; a date without a time means the end of that day there.",
  ),
  assignee_user_id: nullableId(),
};

/** POST /tasks. */
export const taskInput = creation({ contact_id: nullableId(), title: text(limits.taskTitle), ...shared }).meta({
  examples: [{ contact_id: 1, title: "Send the price list", due_at: "2026-03-02T17:00:00Z" }],
});

export type TaskInput = z.output<typeof taskInput>;

/** PATCH /tasks/{id}: omitted fields are unchanged. */
export const taskPatch = z
  .object({ title: text(limits.taskTitle).optional(), ...shared, completed: flag() })
  .meta({ examples: [{ completed: true }] });

export type TaskPatch = z.output<typeof taskPatch>;

/** GET /tasks. Filters are combined with AND. */
export const taskListQuery = z.object({
  contact_id: filterId().describe("Only tasks of this contact."),
  assignee_user_id: filterId().describe("Only tasks assigned to this person."),
  completed: filterFlag().describe("Only completed tasks, or only open ones."),
  overdue: filterFlag().describe("Only open tasks past their due date, or only all others."),
  ...pageQuery.shape,
});

export type TaskListQuery = z.output<typeof taskListQuery>;
