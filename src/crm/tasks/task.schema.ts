/** What comes in for a task. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { filterFlag, filterId, flag, givenTime, nullableId, text } from "../../kit/input/fields.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { limits } from "../../vocabulary/limits.ts";

const shared = {
  due_at: givenTime().describe(
    "Without an offset in the time zone of the location; a date alone is the end of that day there.",
  ),
  assignee_user_id: nullableId(),
};

/** POST /tasks. */
export const taskInput = creation({ contact_id: nullableId(), title: text(limits.taskTitle), ...shared }).meta({
  examples: [{ contact_id: 1, title: "Send the price list", due_at: "2026-03-02T17:00:00Z" }],
});

export type TaskInput = z.output<typeof taskInput>;

/** PATCH /tasks/{id}: what is left out stays. */
export const taskPatch = z
  .object({ title: text(limits.taskTitle).optional(), ...shared, completed: flag() })
  .meta({ examples: [{ completed: true }] });

export type TaskPatch = z.output<typeof taskPatch>;

/** GET /tasks. All that are given must hold. */
export const taskListQuery = z.object({
  contact_id: filterId().describe("Those of this contact."),
  assignee_user_id: filterId().describe("Those that this person has to do."),
  completed: filterFlag().describe("Those that are done, or those that are not."),
  overdue: filterFlag().describe("Those that are open and were due before now, or all others."),
  ...pageQuery.shape,
});

export type TaskListQuery = z.output<typeof taskListQuery>;
