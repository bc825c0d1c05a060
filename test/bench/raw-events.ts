/** How the raw limit records an event: its row, and its position on SQLite, or the row that says it has none yet on PostgreSQL. */
import type { RawDatabase, Row, Value, Work } from "./raw-database.ts";

const columns =
  "workspace_id, location_id, event, contact_id, actor_type, actor_id, actor_name, changes, data, created_at";
const insertText = `insert into events (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** One statement on PostgreSQL, where each waits for an answer. */
export function eventTexts(isSqlite: boolean) {
  if (isSqlite)
    return {
      insertEvent: `${insertText} returning id`,
      insertPosition: `insert into event_positions (position, event_id, workspace_id, location_id)
        select last_position + 1, ?, ?, ? from event_log where id = 1`,
      moveLog: "update event_log set last_position = last_position + 1 where id = 1",
    };
  return {
    insertEvent: `with event as (${insertText} returning id, workspace_id, location_id),
      unstamped as (insert into unstamped_events (event_id, workspace_id, location_id)
        select id, workspace_id, location_id from event) select id from event`,
    insertPosition: "",
    moveLog: "",
  };
}

/** `params`: those of `insertEvent`. */
export function* insertEvent(statements: RawDatabase["statements"], params: readonly Value[]): Work<Row> {
  const [event] = yield [statements.insertEvent, params];
  if (statements.insertPosition.text === "") return event;
  yield [statements.insertPosition, [event.id, ...params.slice(0, 2)]];
  yield [statements.moveLog, []];
  return event;
}
