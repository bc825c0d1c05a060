/**
 * A duty of the worker: forgets the frozen payload of old events. The row stays, as the activity it is. Payloads are forgotten in the
 * order of the log, so that one position tells which are left: GET /events refuses whoever would read over forgotten ones.
 */
import type { Database } from "../storage/database.ts";
import type { Rows } from "../storage/rows.ts";

const batch = 1000;
/** Bytes of the payloads that are forgotten at once, unless the first alone has more: SQLite does nothing else meanwhile. */
const mostBytes = 8 << 20;

/** What a follower has not come to yet is kept for it, however old it is: without its payload it could not be told to anybody. */
const nextText = `select position, created_at, octet_length(data) as bytes from events
  where position > (select forgotten_position from event_log where id = 1)
    and position <= coalesce((select min(position) from event_marks), ${Number.MAX_SAFE_INTEGER}) order by position limit ?`;
const forgetText = "update events set data = null where position <= ? and position > ?";
// Two workers may do this at once: the mark never goes back.
const markText = "update event_log set forgotten_position = ? where id = 1 and forgotten_position < ?";

interface Logged {
  readonly position: number;
  /** Milliseconds. */
  readonly created_at: number;
  /** Of its payload; null where it has none. */
  readonly bytes: number | null;
}

/** Forgets up to a thousand payloads of events from before `before`, or fewer where they are large; resolves to how many. */
export function prunePayloads(database: Database, before: Date): Promise<number> {
  return database.transaction(async ({ rows }) => {
    const old = await findOld(rows, before, batch);
    const [first, last] = [old[0], old.at(-1)];
    if (first === undefined || last === undefined) return 0;
    await rows(forgetText, [last.position, first.position - 1]);
    // Last of all, since whoever gives out positions waits for this row.
    await rows(markText, [last.position, last.position]);
    return old.length;
  });
}

/** Whether an event from before `before` still carries its payload. */
export async function hasPrunable({ rows }: Rows, before: Date): Promise<boolean> {
  return (await findOld(rows, before, 1)).length > 0;
}

/** The events that follow the forgotten ones, up to the first that is not from before `before`: committed late, it holds up a few. */
async function findOld(rows: Rows["rows"], before: Date, most: number): Promise<Logged[]> {
  const next = await rows<Logged>(nextText, [most]);
  let bytes = 0;
  const end = next.findIndex(({ created_at, bytes: own }, place) => {
    bytes += own ?? 0;
    return created_at >= before.getTime() || (place > 0 && bytes > mostBytes);
  });
  return end === -1 ? next : next.slice(0, end);
}
