/** The response shape of a task (specification, "Task"). */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import { personView, toPerson } from "../../tenancy/users/user.view.ts";
import { namedContact, namedContactSpecimen, toNamedContact } from "../contact.view.ts";

/** An example task. */
export const taskSpecimen = {
  id: 1,
  contact: namedContactSpecimen,
  title: "Send the price list",
  due_at: "2026-03-02T17:00:00.000Z",
  overdue: false,
  completed_at: null,
  assignee: { id: 1, name: "Grace Hopper" },
  created_by: null,
  created_at: "2026-03-01T12:00:00.000Z",
};

/** The same task as contacts show it in lists. */
export const nextTaskSpecimen = {
  id: taskSpecimen.id,
  title: taskSpecimen.title,
  due_at: taskSpecimen.due_at,
  overdue: false,
};

const shared = {
  id: z.int(),
  title: z.string(),
  due_at: z.iso.datetime().nullable(),
  overdue: z.boolean().describe("Whether the task is open and past its due date."),
};

export const taskView = z
  .object({
    ...shared,
    contact: namedContact.nullable().describe("Null for a task without a contact, and once the contact is deleted."),
    completed_at: z.iso.datetime().nullable(),
    assignee: personView.nullable().describe("The person that the task is assigned to."),
    created_by: personView
      .nullable()
      .describe("The creator; for an app, the person who installed it; null for an API key or a workflow."),
    created_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Task", description: "A task, usually for a contact.", examples: [taskSpecimen] });

export type TaskView = z.output<typeof taskView>;

/** The task that contacts show in lists: the open one that is due first. */
export const nextTaskView = z.object(shared).meta({ id: "NextTask", examples: [nextTaskSpecimen] });

export const taskListView = pageOf(taskView).meta({
  id: "TaskList",
  description: "A page of tasks, ordered by due date; tasks without one come last.",
});

/** Stands for no due date, and sorts last. */
export const noDueDate = Date.parse("9999-12-31T23:59:59.999Z");

/** A task inside its contact. Times in milliseconds. */
export interface EmbeddedTaskRow {
  readonly id: number;
  readonly title: string;
  readonly due_at: number;
  readonly completed_at: number | null;
  readonly assignee_id: number | null;
  readonly assignee_name: string | null;
  readonly created_by_id: number | null;
  readonly created_by_name: string | null;
  readonly created_at: number;
}

export interface TaskRow extends EmbeddedTaskRow {
  /** Null if there is none or it is deleted. */
  readonly contact_id: number | null;
  readonly contact_name: string | null;
}

/** `now` in milliseconds. */
export function toTask(row: TaskRow, now: number): TaskView {
  return {
    id: row.id,
    contact: toNamedContact(row.contact_id, row.contact_name),
    title: row.title,
    due_at: toDue(row.due_at),
    overdue: row.completed_at === null && row.due_at < now,
    completed_at: toNullableTimestamp(row.completed_at),
    assignee: toPerson(row.assignee_id, row.assignee_name),
    created_by: toPerson(row.created_by_id, row.created_by_name),
    created_at: toTimestamp(row.created_at),
  };
}

/** An open task as contacts show it in lists. */
export function toNextTask(id: number, title: string, dueAt: number, now: number): z.output<typeof nextTaskView> {
  return { id, title, due_at: toDue(dueAt), overdue: dueAt < now };
}

function toDue(dueAt: number): string | null {
  return dueAt === noDueDate ? null : toTimestamp(dueAt);
}
