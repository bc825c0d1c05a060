/**
 * A fair queue over many holders (webhooks, channels): one row per holder says when its next item is due. No query
 * scans the items, and a million items of one holder cost the others nothing.
 */
import { jsonKeys } from "../storage/json-rows.ts";
import { listed } from "../storage/json.ts";
import { lockInOrder } from "../storage/locks.ts";
import { shareOfEach } from "../storage/reading/lateral.ts";
import type { Rows, Writer } from "../storage/rows.ts";
import { sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";

/** The tables of a queue, which belong to the folder that defines it. */
interface Tables {
  /**
   * The items: `id`, the holder's column, `due_at` while queued, `leased_until` while a worker has it, and `leased_by`,
   * that worker.
   */
  readonly waiting: string;
  /** A row per holder: its column, `due_at` no later than its first due item, and `served_at`. */
  readonly queues: string;
  /** The holders' table, and the column that refers to it. */
  readonly holders: string;
  readonly holder: string;
  /** The holders that are served, as a condition on `holders`. */
  readonly isServed: string;
  /** Columns of a holder needed for sending, after its ID. */
  readonly facts: string;
  /** Maximum items of one holder per turn. */
  readonly mostOfOne: number;
}

interface DueAt {
  readonly holder: number;
  readonly dueAt: Date;
}

interface SettledHolders {
  readonly served: Iterable<number>;
  readonly others: Iterable<number>;
  readonly now: Date;
}

interface Lease {
  /** Null if the worker is unknown. */
  readonly leased_by: number | null;
  /** In milliseconds. */
  readonly leased_until: number;
}

export interface Queue {
  /** Holders with due items except those in `full`, longest waiting first. Takes no locks. */
  findDue: FindDue;
  /**
   * The same, restricted to holders that match a condition, with one more column: due items of other holders stay, and
   * the condition must exclude them from later queries.
   */
  findDueWhere(condition: SqlText, fact: SqlText): FindDue;
  /** When the next item is due; null if the queue is empty. */
  findNextDue(rows: Rows): Promise<Date | null>;
  /** The earliest lease end of each worker with leases. */
  findLeases(rows: Rows): Promise<Lease[]>;
  /**
   * SQL for the IDs of the first due items of each listed holder, up to its share: binds the JSON of `[{<holder>,
   * take}]`, and the time. Items locked by another worker are skipped.
   */
  readonly picked: SqlText;
  /**
   * Makes sure that each of these holders is due at its time or earlier. Call it or `settle` once per transaction,
   * after writing the items: right before the COMMIT, the rows are locked only briefly.
   */
  bringForward(writer: Writer, dues: readonly DueAt[]): void;
  /** After items of `served` were claimed, or some of `others` deferred: recomputes when each holder is due next. */
  settle(writer: Writer, settled: SettledHolders): void;
}

type FindDue = <Due>(rows: Rows, now: Date, full: readonly number[]) => Promise<Due[]>;

/** Maximum holders served per turn. */
export const holdersAtOnce = 128;
/** Maximum leases scanned, earliest end first. */
const mostLeases = 5000;

export function defineQueue({ waiting, queues, holders, holder, isServed, facts, mostOfOne }: Tables): Queue {
  const writeDueText = (
    more: SqlText | string,
    fact: SqlText | string,
  ): SqlText => sql`select ${queues}.${holder}, ${facts}${fact}
    from ${queues} join ${holders} on ${holders}.id = ${queues}.${holder}
    where ${queues}.due_at <= ? and ${isServed}${more} and ${queues}.${holder} not in ${listed}
    order by ${queues}.served_at, ${queues}.${holder} limit ${holdersAtOnce}`;

  const nextText = `select min(${queues}.due_at) as due_at from ${queues} join ${holders} on ${holders}.id = ${queues}.${holder}
    where ${queues}.due_at is not null and ${isServed}`;

  const leasesText = `select leased_by, min(leased_until) as leased_until from
    (select leased_by, leased_until from ${waiting} where leased_until is not null order by leased_until limit ${mostLeases}) as leases
    group by leased_by`;

  const wanted = jsonKeys({ [holder]: "integer", take: "integer" });
  const picked = shareOfEach({
    wanted: sql`${wanted} as wanted`,
    table: waiting,
    column: holder,
    where: `${waiting}.due_at is not null and ${waiting}.due_at <= ?`,
    order: ["due_at", "id"],
    most: mostOfOne,
  });

  const named = jsonKeys({ [holder]: "integer" });

  /** Locked until the end of the transaction: another one that queues an item meanwhile would have its `due_at` overwritten. */
  const lockText = lockInOrder(queues, holder, sql`(select ${holder} from ${named} as named)`);

  const due = jsonKeys({ [holder]: "integer", due_at: "time" });
  const bringForwardText = sql`update ${queues} set due_at = due.due_at from ${due} as due
    where ${queues}.${holder} = due.${holder} and (${queues}.due_at is null or ${queues}.due_at > due.due_at)`;

  const settled = jsonKeys({ [holder]: "integer", served: "boolean" });
  const settleText = sql`update ${queues}
    set served_at = case when settled.served then ? else served_at end,
      due_at = (select min(${waiting}.due_at) from ${waiting}
        where ${waiting}.${holder} = ${queues}.${holder} and ${waiting}.due_at is not null)
    from ${settled} as settled where ${queues}.${holder} = settled.${holder}`;

  const findDueBy =
    (text: SqlText): FindDue =>
    (rows, now, full) =>
      rows.rows(text, [now, JSON.stringify(full)]);

  return {
    findDue: findDueBy(writeDueText("", "")),
    findDueWhere: (condition, fact) => findDueBy(writeDueText(sql` and ${condition}`, sql`, ${fact}`)),
    async findNextDue(rows) {
      const [next] = await rows.rows<{ due_at: number | null }>(nextText);
      return typeof next?.due_at === "number" ? new Date(next.due_at) : null;
    },
    findLeases: (rows) => rows.rows(leasesText),
    picked,
    bringForward(writer, dues) {
      if (dues.length === 0) return;
      const earliest = new Map<number, number>();
      for (const { holder: id, dueAt } of dues)
        earliest.set(id, Math.min(dueAt.getTime(), earliest.get(id) ?? Number.POSITIVE_INFINITY));
      const brought = JSON.stringify([...earliest].map(([id, due_at]) => ({ [holder]: id, due_at })));
      writer.send(lockText, [brought]);
      writer.send(bringForwardText, [brought]);
    },
    settle(writer, { served, others, now }) {
      const wasServed = new Map<number, boolean>();
      for (const id of others) wasServed.set(id, false);
      for (const id of served) wasServed.set(id, true);
      if (wasServed.size === 0) return;
      const list = JSON.stringify([...wasServed].map(([id, serves]) => ({ [holder]: id, served: serves })));
      writer.send(lockText, [list]);
      writer.send(settleText, [now, list]);
    },
  };
}
