/**
 * A duty of the worker, and of who begins to listen: gives each committed event its place in the log. Ids are handed out before the commit, so a
 * reader that followed ids would step over an event that committed late; positions are given after it.
 */
import type { Database } from "../storage/database.ts";
import type { Writer } from "../storage/rows.ts";
import { untilCommit } from "../storage/locks.ts";
import { sql } from "../storage/sql-text.ts";
import { keepToIndexes } from "../storage/query-plans.ts";

const batch = 1000;

const lockLog = sql`select last_position from event_log where id = 1${untilCommit("event_log")}`;

/** Stamps up to a thousand events; resolves to how many. Workers that meet here wait for each other. */
export function stampPositions(database: Database): Promise<number> {
  return database.transaction(async (transaction) => (await stampSome(transaction)).stamped);
}

const waitingText = "select count(*) as waiting from events where position is null";

/**
 * The position behind which everything stands that is committed after this change, and nothing that was before: whoever is to hear what
 * comes from now on begins there. Ids tell no such thing. It holds the log until the commit: call it late.
 */
export async function findBeginning(change: Writer): Promise<number> {
  const { end, stamped } = await stampSome(change);
  if (stamped < batch) return end;
  // No worker has run for a while. What commits meanwhile may take the place of one of those that wait: nobody is kept from writing for that.
  const [behind] = await change.rows<{ waiting: number }>(waitingText);
  return end + Number(behind!.waiting);
}

const stampText = `update events set position = ? + numbered.place
  from (select id, row_number() over (order by id) as place
        from (select id from events where position is null order by id limit ${batch}) as waiting) as numbered
  where events.id = numbered.id returning events.id`;

/** Stamps what waits, up to a thousand events; resolves to how many, and to the last position. */
async function stampSome(writer: Writer): Promise<{ readonly stamped: number; readonly end: number }> {
  keepToIndexes(writer);
  const { rows, send } = writer;
  const [log] = await rows<{ last_position: number }>(lockLog);
  if (log === undefined) throw new Error("the event log has no mark: is the schema up to date?");
  const { length: stamped } = await rows<{ id: number }>(stampText, [log.last_position]);
  if (stamped > 0) send("update event_log set last_position = last_position + ? where id = 1", [stamped]);
  return { stamped, end: log.last_position + stamped };
}

/** Whether an event waits for its position. */
export async function hasUnstamped(database: Database): Promise<boolean> {
  const found = await database.rows("select 1 as found from events where position is null limit 1");
  return found.length > 0;
}
