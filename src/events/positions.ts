/**
 * Assigns log positions to events. On PostgreSQL to committed ones, by the worker and by new subscribers, or with the COMMIT: ids are assigned earlier, so a
 * reader that follows ids would skip an event that committed late. SQLite has one writer at a time, so there each event gets its position with its row.
 */
import type { Database } from "../storage/database.ts";
import { deleteFeedingInsert } from "../storage/inserting/feeding-insert.ts";
import type { Writer } from "../storage/rows.ts";
import { forUpdate } from "../storage/locks.ts";
import { embeddedOnly, serverOnly, sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";
import { keepToLookUps } from "../storage/query-plans.ts";

/** Events per transaction. */
export const stampedAtOnce = 1000;

const isWaiting = "exists (select 1 from unstamped_events)";

/**
 * Statements for SQLite: the events that were inserted last get the next positions. Behind older events without a position, or without the row of the
 * log, which only a damaged database lacks, they are listed with those. Each binds the number of events.
 */
export const stampInserted: readonly SqlText[] = [
  // Materialized, because each position that is inserted is the next last_insert_rowid().
  embeddedOnly(`with log (last_position, before) as materialized
      (select last_position, last_insert_rowid() - ? from event_log where id = 1 and not ${isWaiting})
    insert into event_positions (position, event_id, workspace_id, location_id)
    select log.last_position + events.id - log.before, events.id, events.workspace_id, events.location_id
      from log cross join events where events.id > log.before`),
  embeddedOnly(`update event_log set last_position = last_position + ? where id = 1 and not ${isWaiting}`),
  // Where no position was inserted, the last row is still that of the last event. REPLACE is no insert that wakes a duty (commit-tables.ts): a
  // duty that is to run already stamps these events as well.
  embeddedOnly(`with inserted (before) as materialized
      (select last_insert_rowid() - ? where ${isWaiting} or not exists (select 1 from event_log where id = 1))
    replace into unstamped_events (event_id, workspace_id, location_id)
    select events.id, events.workspace_id, events.location_id
      from inserted cross join events where events.id > inserted.before`),
];

const lockLog = sql`select last_position from event_log where id = 1${forUpdate("event_log")}`;

/**
 * Stamps up to `stampedAtOnce` events, in one round trip, COMMIT included; resolves to how many. The lock on the log serializes concurrent workers,
 * so it is not held while an answer travels.
 */
export async function stampPositions(database: Database): Promise<number> {
  const result = await database.transaction(async (transaction) => {
    transaction.takesFrom(["unstamped_events"]);
    return sendStamps(transaction);
  });
  return (await result()).stamped;
}

/** A range and no join: PostgreSQL keeps the plan that it made while the table was empty. */
const areFirst = (count: number): string =>
  `event_id <= (select max(event_id) from (select event_id from unstamped_events order by event_id limit ${count}) as first)`;
const taken = "event_id, workspace_id, location_id";
/** `log` has the last position, and `taken` the events. */
const insertTaken = (log: string): string => `insert into event_positions (position, ${taken})
    select ${log}.last_position + row_number() over (order by event_id), ${taken} from taken cross join ${log}`;

/** Events that a change stamps at the most: its own, and those that were committed before. */
const stampedWithCommit = 16;
const stampOwnText = serverOnly(sql`with log as materialized
    (select last_position from event_log where id = 1 for update skip locked),
  taken as (delete from unstamped_events where exists (select 1 from log) and ${areFirst(stampedWithCommit)} returning ${taken}),
  placed as (${insertTaken("log")} returning position)
  update event_log set last_position = (select max(position) from placed) where id = 1 and exists (select 1 from placed)`);

/**
 * On PostgreSQL, stamps events of an open change with its COMMIT, unless the log is locked; what is left is for the worker. Call it last: the log is locked
 * until then. It saves their followers a transaction of the worker, and costs the change a statement.
 */
export function stampOwn(change: Writer): void {
  keepToLookUps(change);
  change.send(stampOwnText);
}

/** The last position that is assigned: every event committed after this has a higher one; an earlier one may, too, until it is stamped. */
export async function findLastPosition({ rows }: Pick<Writer, "rows">): Promise<number> {
  const [log] = await rows<{ last_position: number }>("select last_position from event_log where id = 1");
  return log!.last_position;
}

/**
 * The last position before the events of a transaction, where these get theirs in it (SQLite), if called before they are recorded; undefined where they get
 * theirs with the COMMIT or after it, behind any that is read before.
 */
export async function findPositionBefore({ rows }: Pick<Writer, "rows">): Promise<number | undefined> {
  const [log] = await rows<{ last_position: number }>(beforeText);
  return log?.last_position;
}

const beforeText = embeddedOnly("select last_position from event_log where id = 1");

const waitingText = "select count(*) as waiting from unstamped_events";

/**
 * The start position of a new subscriber: every event committed after this change has a higher position, every earlier one a lower or
 * equal one. Ids give no such guarantee. Locks the log until the commit, so call it late in the transaction.
 */
export async function findStartPosition(change: Writer): Promise<number> {
  const { end, stamped } = await sendStamps(change)();
  if (stamped < stampedAtOnce) return end;
  // No worker has run for a while: count the rest. An event that commits meanwhile may get a position before one of them, which is accepted:
  // preventing it would block all writers.
  const [behind] = await change.rows<{ waiting: number }>(waitingText);
  return end + Number(behind!.waiting);
}

const stamp = deleteFeedingInsert({
  name: "taken",
  table: "unstamped_events",
  // Without the log's row, which only a damaged database lacks, nothing is taken.
  where: `exists (select 1 from event_log where id = 1) and ${areFirst(stampedAtOnce)}`,
  returning: taken,
  insert: `${insertTaken("event_log")} where event_log.id = 1`,
});
const moveLogText = `update event_log set last_position = (select max(position) from event_positions)
  where id = 1 and last_position < (select max(position) from event_positions) returning last_position`;

interface Stamped {
  readonly stamped: number;
  /** The last position. */
  readonly end: number;
}

/** Stamps up to `stampedAtOnce` unstamped events. The returned function gives the result, also after the commit. */
function sendStamps(writer: Writer): () => Promise<Stamped> {
  keepToLookUps(writer);
  const { roundTrips, send } = writer;
  const locking = roundTrips.rowsLater<{ last_position: number }>(lockLog);
  send(stamp.text);
  send(stamp.after);
  const moving = roundTrips.rowsLater<{ last_position: number }>(moveLogText);
  return async () => {
    const [[log], [moved]] = await Promise.all([locking(), moving()]);
    if (log === undefined) throw new Error("the event_log row is missing: is the schema up to date?");
    const end = moved?.last_position ?? log.last_position;
    return { stamped: end - log.last_position, end };
  };
}

/** Whether an event has no position yet. */
export async function hasUnstamped(database: Database): Promise<boolean> {
  const found = await database.rows("select 1 as found from unstamped_events order by event_id limit 1");
  return found.length > 0;
}
