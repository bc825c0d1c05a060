/** Reads tasks: a single one, a page, and those embedded in a contact. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { jsonList, listed } from "../../storage/json.ts";
import { defineNarrowedList } from "../../storage/keyset/narrowed.ts";
import type { ListFilter } from "../../storage/keyset/narrowed.ts";
import { judged } from "../../storage/query-plans.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { limits } from "../../vocabulary/limits.ts";
import { survivorOfParameter } from "../contact-redirects.ts";
import type { TaskListQuery } from "./task.schema.ts";
import { toTask } from "./task.view.ts";
import type { TaskRow, TaskView } from "./task.view.ts";

const columns = {
  id: "tasks.id",
  title: "tasks.title",
  due_at: "tasks.due_at",
  completed_at: "tasks.completed_at",
  assignee_id: "tasks.assignee_id",
  assignee_name: "assignees.name",
  created_by_id: "tasks.created_by_id",
  created_by_name: "makers.name",
  created_at: "tasks.created_at",
};

const joins =
  "left join users as assignees on assignees.id = tasks.assignee_id left join users as makers on makers.id = tasks.created_by_id";

const select = `select ${Object.entries(columns)
  .map(([name, expression]) => `${expression} as ${name}`)
  .join(", ")}, contacts.id as contact_id, contacts.name as contact_name`;

// A deleted contact is shown as null.
const contactJoin = "left join contacts on contacts.id = tasks.contact_id and contacts.deleted_at is null";

const oneText = `${select} from tasks ${joins} ${contactJoin} where tasks.id = ? and tasks.location_id = ?`;

/** The task of the location with this id. */
export async function findTask(reader: Reader<LocationContext>, id: number): Promise<TaskRow | undefined> {
  const [row] = await reader.rows<TaskRow>(oneText, [id, reader.location.id]);
  return row;
}

const someText = sql`${select} from tasks ${joins} ${contactJoin}
  where ${judged("tasks.location_id")} = ? and tasks.id in ${listed}`;

/** The tasks of the location with these ids, in any order. */
export async function findTasks(reader: Reader<LocationContext>, ids: readonly number[]): Promise<TaskView[]> {
  if (ids.length === 0) return [];
  const now = reader.tools.clock.now().getTime();
  const rows = await reader.rows<TaskRow>(someText, [reader.location.id, JSON.stringify(ids)]);
  return rows.map((row) => toTask(row, now));
}

/** The keyset cursor: due_at in milliseconds, and the id. */
type TaskPosition = [dueAt: number, id: number];

const findListed = defineNarrowedList<TaskRow>({
  table: "tasks",
  columns: ["due_at", "id"],
  direction: "asc",
  toParams: ([dueAt, id]) => [new Date(dueAt!), id!],
  select: pageText,
});

/** A page of the location's tasks, by due date. Refuses a cursor of another list. */
export function listTasks(
  reader: Reader<LocationContext>,
  { cursor, limit, ...filters }: TaskListQuery & PageQuery,
): Promise<Page<TaskView>> {
  const now = reader.tools.clock.now();
  const conditions = conditionsOf(reader.location.id, filters, now);
  return page(
    reader.tools.cursors,
    { cursor, limit },
    {
      list: `tasks ${JSON.stringify([reader.location.id, filters])}`,
      find: (after: TaskPosition | undefined, most) =>
        findListed({ rows: reader.rows, conditions, after, most, holder: queueKeyOf(reader) }),
      placeOf: ({ due_at, id }): TaskPosition => [due_at, id],
      show: (row) => toTask(row, now.getTime()),
    },
  );
}

/** Open tasks have indexes of their own; those of a contact, whatever their state, are found in the order of their ids. */
function conditionsOf(
  location: number,
  { contact_id, assignee_user_id, completed, overdue }: TaskListQuery,
  now: Date,
): ListFilter[] {
  const isOpen = completed === false || overdue === true;
  const state = `${isOpen ? " and completed_at is null" : ""}${overdue === true ? " and due_at < ?" : ""}`;
  const until = overdue === true ? [now] : [];
  const conditions: ListFilter[] = [{ text: `location_id = ?${state}`, params: [location, ...until], index: "order" }];
  if (contact_id !== undefined)
    conditions.push({
      text: `contact_id = ${survivorOfParameter}${state}`,
      params: [contact_id, contact_id, ...until],
      index: isOpen ? "order" : "other",
    });
  if (assignee_user_id !== undefined)
    conditions.push({
      text: `assignee_id = ? and location_id = ?${state}`,
      params: [assignee_user_id, location, ...until],
      index: "order",
    });
  if (completed === true) conditions.push({ text: "completed_at is not null", params: [], index: "none" });
  if (overdue === false)
    conditions.push({ text: "(completed_at is not null or due_at >= ?)", params: [now], index: "none" });
  return conditions;
}

/** The page is found before the joins. */
function pageText(found: SqlText): SqlText {
  return sql`${select} from ${found} ${joins} ${contactJoin} order by tasks.due_at, tasks.id`;
}

/** A correlated subquery on `contacts`: the list of EmbeddedTaskRow, newest first. */
export const tasksOfContact = jsonList({
  members: columns,
  times: ["due_at", "completed_at", "created_at"],
  from: `tasks ${joins} where tasks.contact_id = contacts.id`,
  order: "id desc",
  limit: limits.embeddedLimit,
});
