/** Creates, updates, completes, reopens and deletes tasks. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { momentIn } from "../../kit/time/given-time.ts";
import type { GivenTime } from "../../kit/time/given-time.ts";
import { defineInsert, defineUpdate, insertRows, updateRow } from "../../storage/inserting/insert.ts";
import { forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import {
  lockedContactOfLocation,
  lockIfNotDeleted,
  defineContactProjection,
  raiseActivity,
} from "../contact-activity.ts";
import { personWithAccess, readReferences } from "../references.ts";
import { updateProjection } from "../workflow-goals.ts";
import { taskNames } from "./task.names.ts";
import { taskCompleted, taskCreated } from "./task.events.ts";
import { findTask } from "./task.queries.ts";
import type { TaskInput, TaskPatch } from "./task.schema.ts";
import { noDueDate, toTask } from "./task.view.ts";
import type { TaskRow } from "./task.view.ts";

const taskInsert = defineInsert("tasks", [
  "location_id",
  "contact_id",
  "title",
  "due_at",
  "completed_at",
  "assignee_id",
  "created_by_id",
  "created_at",
]);

const taskUpdate = defineUpdate("tasks", ["title", "due_at", "completed_at", "assignee_id"]);

/** The next task of a contact: the open one that is due first. */
export const nextTaskProjection = defineContactProjection(
  ["next_task_id"],
  "select id from tasks where contact_id = contacts.id and completed_at is null order by due_at, id limit 1",
);

/** Creates a task and raises task.created. Refuses, with 422, a contact of another location and a person without access. */
export async function createTask(change: Change<LocationContext>, input: TaskInput): Promise<TaskRow> {
  const found = await readReferences(
    change,
    { contact_id: input.contact_id, assignee_user_id: input.assignee_user_id },
    { contact_id: lockedContactOfLocation, assignee_user_id: personWithAccess },
  );
  const contact = found.contact_id;
  const facts = {
    title: input.title,
    due_at: toDueAt(change, input.due_at ?? null),
    completed_at: null,
    assignee_id: found.assignee_user_id?.id ?? null,
  };
  const [id] = await insertRows(change, taskInsert, [
    {
      ...toColumns(facts),
      location_id: change.location.id,
      contact_id: contact?.id ?? null,
      created_by_id: change.user?.id ?? null,
      created_at: change.now,
    },
  ]);
  taskNames.note(change, id!);
  const task: TaskRow = {
    id: id!,
    contact_id: contact?.id ?? null,
    contact_name: contact?.name ?? null,
    ...facts,
    assignee_name: found.assignee_user_id?.name ?? null,
    created_by_id: change.user?.id ?? null,
    created_by_name: change.user?.name ?? null,
    created_at: change.now.getTime(),
  };
  raiseTaskEvent(change, contact?.id, taskCreated.of(toTask(task, change.now.getTime())));
  return task;
}

/**
 * Updates the given fields. Completing an open task raises task.completed; a patch that changes nothing writes nothing. Refuses
 * `task.not_found`, and with 422 a person without access.
 */
export async function updateTask(change: Change<LocationContext>, id: number, patch: TaskPatch): Promise<TaskRow> {
  const { contact, before } = await lockTask(change, id);
  const { assignee_user_id: assignee } = await readReferences(
    change,
    { assignee_user_id: patch.assignee_user_id },
    { assignee_user_id: personWithAccess },
  );
  const after: TaskRow = {
    ...before,
    title: patch.title ?? before.title,
    due_at: patch.due_at === undefined ? before.due_at : toDueAt(change, patch.due_at),
    ...(patch.completed === undefined
      ? {}
      : { completed_at: patch.completed ? (before.completed_at ?? change.now.getTime()) : null }),
    ...(patch.assignee_user_id === undefined
      ? {}
      : { assignee_id: assignee?.id ?? null, assignee_name: assignee?.name ?? null }),
  };
  if (taskUpdate.columns.every((column) => before[column] === after[column])) return before;
  updateRow(change, taskUpdate, id, toColumns(after));
  if (after.title !== before.title) taskNames.note(change, id);
  const isCompleted = before.completed_at === null && after.completed_at !== null;
  if (isCompleted) raiseTaskEvent(change, contact?.id, taskCompleted.of(toTask(after, change.now.getTime())));
  else if (contact !== undefined) updateProjection(change, contact.id, nextTaskProjection);
  return after;
}

/** Deletes a task; raises no event, and those about it stay on the timeline. Refuses `task.not_found`. */
export async function deleteTask(change: Change<LocationContext>, id: number): Promise<void> {
  const { contact } = await lockTask(change, id);
  change.send("delete from tasks where id = ?", [id]);
  taskNames.note(change, id);
  if (contact !== undefined) updateProjection(change, contact.id, nextTaskProjection);
}

function raiseTaskEvent(
  change: Change<LocationContext>,
  contactId: number | undefined,
  event: ReturnType<typeof taskCreated.of>,
): void {
  if (contactId === undefined) change.raise(event);
  else raiseActivity(change, contactId, event, nextTaskProjection);
}

const contactText = "select contact_id from tasks where id = ? and location_id = ?";
const lockText = sql`select id from tasks where id = ?${forUpdate("tasks")}`;

/** Locks the task until the commit: by its contact's lock, or by its own if it has no contact. Refuses `task.not_found`. */
export async function lockTask(change: Change<LocationContext>, id: number) {
  const [found] = await change.rows<{ contact_id: number | null }>(contactText, [id, change.location.id]);
  if (found === undefined) throw new Refusal("task.not_found");
  const contact = found.contact_id === null ? undefined : await lockIfNotDeleted(change, found.contact_id);
  if (contact === undefined) await change.rows(lockText, [id]);
  const before = await findTask(change, id);
  // Another change may have deleted it in the meantime.
  if (before === undefined) throw new Refusal("task.not_found");
  return { contact, before };
}

/** In milliseconds. A time without an offset is in the location's time zone. */
function toDueAt({ location }: Change<LocationContext>, time: GivenTime | null): number {
  return time === null ? noDueDate : momentIn(time, location.timezone).getTime();
}

/** Converts the milliseconds of rows to the Date values of columns. */
function toColumns({ title, due_at, completed_at, assignee_id }: Pick<TaskRow, (typeof taskUpdate.columns)[number]>) {
  return {
    title,
    due_at: new Date(due_at),
    completed_at: completed_at === null ? null : new Date(completed_at),
    assignee_id,
  };
}
