/**
 * Assigns log positions to committed events; called by the worker and by new subscribers. Ids are assigned before the commit, so a reader
 * that follows ids would skip an event that committed late; positions are assigned after the commit.
 */
import type { Database } from "../storage/database.ts";
import type { Writer } from "../storage/rows.ts";
import { untilCommit } from "../storage/locks.ts";
import { sql } from "../storage/sql-text.ts";
import { keepToIndexes } from "../storage/query-plans.ts";

const batch = 1000;

const lockLog = sql`select last_position from event_log where id = 1${untilCommit("event_log")}`;

/** Stamps up to `batch` events; resolves to how many. The lock on the log serializes concurrent workers. */
export function stampPositions(database: Database): Promise<number> {
  return database.transaction(async (transaction) => (await stampSome(transaction)).stamped);
}

/** The last position that is assigned: every event committed after this has a higher one; an earlier one may, too, until it is stamped. */
export async function findLastPosition({ rows }: Pick<Writer, "rows">): Promise<number> {
  const [log] = await rows<{ last_position: number }>("select last_position from event_log where id = 1");
  return log!.last_position;
}

const waitingText = "select count(*) as waiting from events where position is null";

/**
 * The start position of a new subscriber: every event committed after this change has a higher position, every earlier one a lower or
 * equal one. Ids give no such guarantee. Locks the log until the commit, so call it late in the transaction.
 */
export async function findStartPosition(change: Writer): Promise<number> {
  const { end, stamped } = await stampSome(change);
  if (stamped < batch) return end;
  // No worker has run for a while: count the rest. An event that commits meanwhile may get a position before one of them, which is accepted:
  // preventing it would block all writers.
  const [behind] = await change.rows<{ waiting: number }>(waitingText);
  return end + Number(behind!.waiting);
}

const stampText = `update events set position = ? + numbered.place
  from (select id, row_number() over (order by id) as place
        from (select id from events where position is null order by id limit ${batch}) as waiting) as numbered
  where events.id = numbered.id returning events.id`;

/** Stamps up to `batch` unstamped events; resolves to their number and to the last position. */
async function stampSome(writer: Writer): Promise<{ readonly stamped: number; readonly end: number }> {
  keepToIndexes(writer);
  const { rows, send } = writer;
  const [log] = await rows<{ last_position: number }>(lockLog);
  if (log === undefined) throw new Error("the event_log row is missing: is the schema up to date?");
  const { length: stamped } = await rows<{ id: number }>(stampText, [log.last_position]);
  if (stamped > 0) send("update event_log set last_position = last_position + ? where id = 1", [stamped]);
  return { stamped, end: log.last_position + stamped };
}

/** Whether an event has no position yet. */
export async function hasUnstamped(database: Database): Promise<boolean> {
  const found = await database.rows("select 1 as found from events where position is null limit 1");
  return found.length > 0;
}
