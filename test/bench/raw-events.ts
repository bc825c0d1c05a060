/** How the raw limit records an event: its row, and the row that says it has no position yet. */
import type { RawDatabase, Row, Value, Work } from "./raw-database.ts";

const columns =
  "workspace_id, location_id, event, contact_id, actor_type, actor_id, actor_name, changes, data, created_at";
const insertText = `insert into events (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const insertUnstampedText = "insert into unstamped_events (event_id, workspace_id, location_id)";

/** One statement on PostgreSQL, where each waits for an answer. */
export function eventTexts(isSqlite: boolean) {
  if (isSqlite)
    return { insertEvent: `${insertText} returning id`, insertUnstamped: `${insertUnstampedText} values (?, ?, ?)` };
  return {
    insertEvent: `with event as (${insertText} returning id, workspace_id, location_id),
      unstamped as (${insertUnstampedText} select id, workspace_id, location_id from event) select id from event`,
    insertUnstamped: "",
  };
}

/** `params`: those of `insertEvent`. */
export function* insertEvent(statements: RawDatabase["statements"], params: readonly Value[]): Work<Row> {
  const [event] = yield [statements.insertEvent, params];
  if (statements.insertUnstamped.text !== "") yield [statements.insertUnstamped, [event.id, ...params.slice(0, 2)]];
  return event;
}
