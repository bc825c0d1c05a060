/**
 * Followers of the event log: each reads on by position from a mark of its own, and the mark moves in the transaction of what it
 * did, so that each event is followed once, in order, whatever is killed. Followers do not know each other.
 */
import type { Database, Transaction } from "../storage/database.ts";
import { untilCommit } from "../storage/locks.ts";
import { sql } from "../storage/sql-text.ts";
import type { EventName } from "../vocabulary/events.ts";
import type { ActorType } from "../vocabulary/states.ts";

/** An event as it lies in the log; times in milliseconds. */
export interface LoggedEvent {
  readonly id: number;
  readonly position: number;
  readonly workspace_id: number;
  readonly location_id: number | null;
  readonly event: EventName;
  readonly contact_id: number | null;
  readonly actor_type: ActorType;
  readonly actor_id: number | null;
  /** The workflow run that raised it, and how many runs stand behind it. */
  readonly run_id: number | null;
  readonly depth: number;
  /** The frozen payload as text; null once it is pruned. */
  readonly data: string | null;
  readonly created_at: number;
}

const beginText =
  "insert into event_marks (name, position) select ?, last_position from event_log where id = 1 on conflict (name) do nothing";
const markText = sql`select position from event_marks where name = ?${untilCommit("event_marks")}`;
const readText = `select id, position, workspace_id, location_id, event, contact_id, actor_type, actor_id, run_id, depth, data, created_at
  from events where position > ? order by position limit ?`;

/** Follows from here on: what was in the log before is not news. A follower that has begun already goes on where it is. */
export async function beginFollowing(database: Database, name: string): Promise<void> {
  await database.transaction(({ rows }) => rows(beginText, [name]));
}

/**
 * Hands the next events after the mark of `name`, at most `most`, to `work`; resolves to how many there were. Two that follow under
 * one name wait for each other. Refuses a name that never began.
 */
export function follow(
  database: Database,
  name: string,
  most: number,
  work: (events: readonly LoggedEvent[], transaction: Transaction) => Promise<void>,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const [mark] = await transaction.rows<{ position: number }>(markText, [name]);
    if (mark === undefined) throw new Error(`nobody follows the event log as ${name}`);
    const events = await transaction.rows<LoggedEvent>(readText, [mark.position, most]);
    const last = events.at(-1);
    if (last === undefined) return 0;
    await work(events, transaction);
    await transaction.rows("update event_marks set position = ? where name = ?", [last.position, name]);
    return events.length;
  });
}

/** Whether the log goes on behind the mark of `name`. */
export async function hasNews(database: Database, name: string): Promise<boolean> {
  const [found] = await database.rows<{ found: number }>(
    `select 1 as found from event_marks join event_log on event_log.id = 1
     where event_marks.name = ? and event_log.last_position > event_marks.position`,
    [name],
  );
  return found !== undefined;
}
