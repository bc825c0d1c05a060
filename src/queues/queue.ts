/**
 * What waits for whom, and who is served next: one small row for each holder, a webhook or a channel, says when something is due for it.
 * So nobody has to look through all that waits, and a million waiting for one cost the others nothing.
 */
import { jsonRows } from "../storage/json-rows.ts";
import { listed } from "../storage/json.ts";
import { lockInOrder } from "../storage/locks.ts";
import { shareOfEach } from "../storage/reading/lateral.ts";
import type { Rows, Writer } from "../storage/rows.ts";
import { sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";

/** The tables of a queue, whose room owns them. */
interface Tables {
  /** What waits: `id`, the column of its holder, `due_at`, set for as long as it waits, `leased_until`, set while a worker has it, and `leased_by`, that worker. */
  readonly waiting: string;
  /** A row for each holder: the same column, `due_at` no later than what is due first, and `served_at`. */
  readonly queues: string;
  /** Whom it waits for, and the column that says so. */
  readonly holders: string;
  readonly holder: string;
  /** Which holders are served, as a condition on `holders`. */
  readonly isServed: string;
  /** What sending needs of a holder, as columns behind its id. */
  readonly facts: string;
  /** The most of one holder in one turn. */
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
  /** Null where it is not known which worker it is. */
  readonly leased_by: number | null;
  /** In milliseconds. */
  readonly leased_until: number;
}

export interface Queue {
  /** The holders for whom something is due and that are none of `full`, whoever waited longest first. Holds nothing. */
  findDue: FindDue;
  /**
   * The same for those alone of whom one condition more holds, with one fact more: what is due for others is left, and whoever puts up
   * the condition takes it out of the way.
   */
  findDueWhere(condition: SqlText, fact: SqlText): FindDue;
  /** When something is due next; null while nothing waits. */
  findNextDue(rows: Rows): Promise<Date | null>;
  /** The leases of each worker that has any, by the one that ends first. */
  findLeases(rows: Rows): Promise<Lease[]>;
  /**
   * SQL for the ids of what is due of each holder that a list names, the first ones, as many as it may have: binds the JSON of
   * `[{<holder>, take}]`, and the time. What another worker has just taken is stepped over.
   */
  readonly picked: SqlText;
  /**
   * Each of these holders has something due at that time, if not before. Call this or `settle`, once in a transaction and after what
   * waits is written: with the COMMIT right behind it the rows are held for a moment only.
   */
  bringForward(writer: Writer, dues: readonly DueAt[]): void;
  /** For whoever took things of `served`, or put some of `others` off: looks up when each of them has something due next. */
  settle(writer: Writer, settled: SettledHolders): void;
}

type FindDue = <Due>(rows: Rows, now: Date, full: readonly number[]) => Promise<Due[]>;

/** The most holders that are served in one turn. */
const holdersAtOnce = 128;
/** The most leases that are looked through, those first that end first. */
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

  const wanted = jsonRows({ [holder]: "integer", take: "integer" });
  const picked = shareOfEach({
    wanted: sql`${wanted} as wanted`,
    table: waiting,
    column: holder,
    where: `${waiting}.due_at is not null and ${waiting}.due_at <= ?`,
    order: ["due_at", "id"],
    most: mostOfOne,
  });

  const named = jsonRows({ [holder]: "integer" });

  /** Locked until the end of the transaction, so that none says that nothing waits while another makes something wait. */
  const lockText = lockInOrder(queues, holder, sql`(select ${holder} from ${named} as named)`);

  const due = jsonRows({ [holder]: "integer", due_at: "time" });
  const bringForwardText = sql`update ${queues} set due_at = due.due_at from ${due} as due
    where ${queues}.${holder} = due.${holder} and (${queues}.due_at is null or ${queues}.due_at > due.due_at)`;

  const settled = jsonRows({ [holder]: "integer", served: "boolean" });
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
