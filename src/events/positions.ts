/**
 * A duty of the worker: gives each committed event its place in the log. Ids are handed out before the commit, so a
 * reader that followed ids would step over an event that committed late; positions are given after it.
 */
import type { Database } from "../storage/database.ts";
import { untilCommit } from "../storage/locks.ts";
import { sql } from "../storage/sql-text.ts";
import { keepToIndexes } from "../storage/query-plans.ts";

const batch = 1000;

const lockLog = sql`select last_position from event_log where id = 1${untilCommit("event_log")}`;

/** Stamps up to a thousand events; resolves to how many. Workers that meet here wait for each other. */
export function stampPositions(database: Database): Promise<number> {
  return database.transaction(async (transaction) => {
    keepToIndexes(transaction);
    const { rows, send } = transaction;
    const [log] = await rows<{ last_position: number }>(lockLog);
    if (log === undefined) throw new Error("the event log has no mark: is the schema up to date?");
    const stamped = await rows<{ id: number }>(
      `update events set position = ? + numbered.place
       from (select id, row_number() over (order by id) as place
             from (select id from events where position is null order by id limit ${batch}) as waiting) as numbered
       where events.id = numbered.id returning events.id`,
      [log.last_position],
    );
    if (stamped.length > 0) {
      send("update event_log set last_position = last_position + ? where id = 1", [stamped.length]);
    }
    return stamped.length;
  });
}

/** Whether an event waits for its position. */
export async function hasUnstamped(database: Database): Promise<boolean> {
  const found = await database.rows("select 1 as found from events where position is null limit 1");
  return found.length > 0;
}
