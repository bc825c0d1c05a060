/**
 * Prunes the payloads of old events; their rows stay, as activities on the timeline. Payloads are pruned in log order, so that a single
 * position separates pruned from kept ones: GET /events refuses a cursor that would skip pruned payloads.
 */
import type { Database } from "../storage/database.ts";
import { listed } from "../storage/json.ts";
import type { Rows } from "../storage/rows.ts";
import { sql } from "../storage/sql-text.ts";
import { eventsOf } from "./following/positioned-events.ts";

const batch = 1000;
/** The payload bytes of one batch, unless the first event alone has more: SQLite blocks other writers meanwhile. */
const mostBytes = 8 << 20;

/** Events ahead of a follower's mark are kept, however old: the follower still needs their payloads. */
const nextText = sql`select log.position, events.id, events.created_at, octet_length(events.data) as bytes from ${eventsOf(sql`event_positions`)}
  where log.position > (select forgotten_position from event_log where id = 1)
    and log.position <= coalesce((select min(position) from event_marks), ${Number.MAX_SAFE_INTEGER}) order by log.position limit ?`;
/** No timeline shows the changes of an event without a contact. */
const forgetText = sql`update events set data = null, changes = case when contact_id is null then null else changes end
  where id in ${listed}`;
// Safe for concurrent workers: the position never decreases.
const markText = "update event_log set forgotten_position = ? where id = 1 and forgotten_position < ?";

interface Logged {
  readonly position: number;
  readonly id: number;
  /** Milliseconds. */
  readonly created_at: number;
  /** The size of the payload; null if it has none. */
  readonly bytes: number | null;
}

/** Prunes payloads of events created before `before`: at most `batch` events and `mostBytes`; resolves to how many. */
export function prunePayloads(database: Database, before: Date): Promise<number> {
  return database.transaction(async ({ rows }) => {
    const old = await findOld(rows, before, batch);
    const last = old.at(-1);
    if (last === undefined) return 0;
    await rows(forgetText, [JSON.stringify(old.map(({ id }) => id))]);
    // Last, because the assignment of positions waits for the lock on this row.
    await rows(markText, [last.position, last.position]);
    return old.length;
  });
}

/** Whether an event created before `before` still has its payload. */
export async function hasPrunable({ rows }: Rows, before: Date): Promise<boolean> {
  return (await findOld(rows, before, 1)).length > 0;
}

/** The events after the pruned ones, up to the first created at or after `before`; one that committed late delays the few after it. */
async function findOld(rows: Rows["rows"], before: Date, most: number): Promise<Logged[]> {
  const next = await rows<Logged>(nextText, [most]);
  let bytes = 0;
  const end = next.findIndex(({ created_at, bytes: own }, place) => {
    bytes += own ?? 0;
    return created_at >= before.getTime() || (place > 0 && bytes > mostBytes);
  });
  return end === -1 ? next : next.slice(0, end);
}
