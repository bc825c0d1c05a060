/** Reads tasks: a single one, a page, and those embedded in a contact. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { jsonList } from "../../storage/json.ts";
import type { Value } from "../../storage/value.ts";
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

/** The keyset cursor: due_at in milliseconds, and the id. */
type TaskPosition = [dueAt: number, id: number];

/** A page of the location's tasks, by due date. Refuses a cursor of another list. */
export function listTasks(reader: Reader<LocationContext>, query: TaskListQuery & PageQuery): Promise<Page<TaskView>> {
  const now = reader.tools.clock.now();
  const { texts, params } = toConditions(query, now);
  const { cursor, limit, ...filters } = query;
  return page(
    reader.tools.cursors,
    { cursor, limit },
    {
      list: `tasks ${JSON.stringify([reader.location.id, filters])}`,
      find: ([dueAt, id]: TaskPosition = [beforeAll, 0], most) =>
        reader.rows<TaskRow>(pageText(texts, most), [reader.location.id, ...params, new Date(dueAt), id]),
      placeOf: ({ due_at, id }): TaskPosition => [due_at, id],
      show: (row) => toTask(row, now.getTime()),
    },
  );
}

const beforeAll = Date.parse("0001-01-01T00:00:00.000Z");

/** There are few filters with few variants each, so the number of distinct statements stays small. */
function toConditions({ contact_id, assignee_user_id, completed, overdue }: TaskListQuery, now: Date) {
  const texts: string[] = [];
  const params: Value[] = [];
  if (contact_id !== undefined) texts.push(`contact_id = ${survivorOfParameter}`);
  if (contact_id !== undefined) params.push(contact_id, contact_id);
  if (assignee_user_id !== undefined) texts.push("assignee_id = ?");
  if (assignee_user_id !== undefined) params.push(assignee_user_id);
  if (completed !== undefined) texts.push(`completed_at is ${completed ? "not " : ""}null`);
  if (overdue === true) texts.push("completed_at is null and due_at < ?");
  if (overdue === false) texts.push("(completed_at is not null or due_at >= ?)");
  if (overdue !== undefined) params.push(now);
  return { texts, params };
}

/** The subquery finds the page before the joins. */
function pageText(conditions: readonly string[], most: number): string {
  const all = ["location_id = ?", ...conditions, "(due_at, id) > (?, ?)"].join(" and ");
  return `${select} from (select * from tasks where ${all} order by due_at, id limit ${most}) as tasks
    ${joins} ${contactJoin} order by tasks.due_at, tasks.id`;
}

/** A correlated subquery on `contacts`: the list of EmbeddedTaskRow, newest first. */
export const tasksOfContact = jsonList({
  members: columns,
  times: ["due_at", "completed_at", "created_at"],
  from: `tasks ${joins} where tasks.contact_id = contacts.id`,
  order: "id desc",
  limit: limits.embeddedLimit,
});
