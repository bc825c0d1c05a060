/**
 * Finds the rows of a list that match several filters, each of which an index answers, but not their combination: no statement reads more
 * than a slice, and a fair queue serves other requests between two slices.
 */
import type { FairLock } from "../../kit/waiting/fair-lock.ts";
import type { Rows } from "../rows.ts";
import { joinSql, sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";
import type { Value } from "../value.ts";
import { createKeptTexts } from "./kept-texts.ts";
import type { KeptTexts } from "./kept-texts.ts";
import type { Range } from "./keyset.ts";
import { createSliceQueue, findInSlices, sizeByTime } from "./slices.ts";

export interface ListFilter {
  /** Names columns without their table, or with its own name. */
  readonly text: string | SqlText;
  readonly params: readonly Value[];
  /**
   * What finds its rows: an index in the order of the list (`order`), an index in another order (`other`), or none. The location of a list is
   * the condition that always has an index in its order.
   */
  readonly index: "order" | "other" | "none";
}

type Place = readonly number[];

/** What is the same for every page of a list. */
interface NarrowedList {
  readonly table: string;
  /** The unique columns of the order, all in one direction. */
  readonly columns: readonly string[];
  readonly direction: "asc" | "desc";
  /** The values of a position as parameters, such as dates of milliseconds. */
  readonly toParams?: (place: Place) => readonly Value[];
  /** The statement that shows the rows of `page`, in the order of the list. */
  readonly select: (page: SqlText) => SqlText;
}

interface NarrowedPage {
  readonly rows: Rows["rows"];
  readonly conditions: readonly ListFilter[];
  readonly after: Place | undefined;
  readonly most: number;
  /** The holder in the fair queue (events/read-queue.ts). */
  readonly holder: string;
  /** The rows of the first slice; affects speed only. */
  readonly slice?: number;
  /** Whether its conditions are of a bounded number, so that their statements are kept; default: true. */
  readonly repeats?: boolean;
}

/** Rows of the first slice, below a millisecond of work; further ones take a few. */
const firstSlice = 500;
/** A limit that no slice reaches: it keeps the planner from merging a slice with the conditions around it. */
const beyondSlices = 1_000_000;

/** Returns a function that finds at most `most` rows behind `after` that match all conditions, in the order of the list. */
export function defineNarrowedList<Row>(list: NarrowedList): (page: NarrowedPage) => Promise<Row[]> {
  const queue = createSliceQueue();
  const keptText = createKeptTexts();
  return (page) => findNarrowed(list, page, queue, statementsOf<Row>(list, page, keptText));
}

async function findNarrowed<Row>(
  list: NarrowedList,
  { conditions, after, most, holder, slice = firstSlice }: NarrowedPage,
  queue: FairLock,
  read: Statements<Row>,
): Promise<Row[]> {
  const [whole, ...filters] = conditions;
  const [only] = filters;
  if (only === undefined || (filters.length === 1 && only.index === "order")) return read.all({ after }, most);
  for (const filter of filters)
    if (filter.index === "other" && (await read.isFew(filter))) return read.along(filter, {}, most);
  const ways = conditions.filter(({ index }) => index === "order");
  let sparsest = whole!;
  return findInSlices<Row, Place>(most, {
    queue,
    holder,
    from: after,
    size: slice,
    nextSize: sizeByTime,
    /** Of all indexes, the slice follows the one whose next `count` rows reach furthest. */
    async findEnd(from, count) {
      let furthest: Place | undefined;
      for (const [number, way] of ways.entries()) {
        const end = await read.end(way, from, count);
        if (number > 0 && end !== undefined && !isBehind(list, end, furthest!)) continue;
        [sparsest, furthest] = [way, end];
        if (end === undefined) break;
      }
      return furthest;
    },
    find: (range, count) => read.along(sparsest, range, count),
  });
}

function isBehind({ direction }: Pick<NarrowedList, "direction">, one: Place, other: Place): boolean {
  const differing = one.findIndex((value, column) => value !== other[column]);
  if (differing === -1) return false;
  return direction === "asc" ? one[differing]! > other[differing]! : one[differing]! < other[differing]!;
}

type Statements<Row> = ReturnType<typeof statementsOf<Row>>;

function statementsOf<Row>(
  { table, columns, direction, toParams = (place) => place, select }: NarrowedList,
  { rows, conditions, after, slice = firstSlice, repeats = true }: NarrowedPage,
  keptText: KeptTexts,
) {
  const order = columns.map((column) => `${column} ${direction}`).join(", ");
  const [behind, within] = direction === "asc" ? [">", "<="] : ["<", ">="];
  const row = columns.length === 1 ? columns[0]! : `(${columns.join(", ")})`;
  const value = columns.length === 1 ? "?" : `(${columns.map(() => "?").join(", ")})`;
  const isBeyond: ListFilter = bound(behind, after);

  function bound(comparison: string, place: Place | undefined): ListFilter {
    if (place === undefined) return { text: "1 = 1", params: [], index: "none" };
    return { text: `${row} ${comparison} ${value}`, params: toParams(place), index: "none" };
  }

  function run<Found>(
    what: string,
    given: readonly ListFilter[],
    last: readonly number[],
    write: (...texts: SqlText[]) => SqlText,
  ) {
    const texts = given.map(({ text }) => sql`${text}`);
    const params = given.flatMap((condition) => condition.params);
    const make = (): SqlText => write(...texts);
    return rows<Found>(repeats ? keptText(what, texts, make) : make(), [...params, ...last]);
  }

  return {
    /** The page by one statement. */
    all: ({ after: from }: Range<Place>, most: number) =>
      run<Row>("all", [...conditions, bound(behind, from)], [most], (...texts) =>
        select(sql`(select * from ${table} where ${joinSql(texts, " and ")} order by ${order} limit ?) as ${table}`),
      ),
    /** The rows of a range in the index of `way` that match the other conditions. */
    along: (way: ListFilter, { after: from, until }: Range<Place>, most: number) =>
      run<Row>(
        `along ${sql`${way.text}`.sqlite}`,
        [way, bound(behind, from), bound(within, until), ...conditions.filter((one) => one !== way), isBeyond],
        [most],
        (own, begins, ends, ...others) =>
          select(sql`(select * from (select * from ${table} where ${own!} and ${begins!} and ${ends!} limit ${beyondSlices}) as ${table}
            where ${joinSql(others, " and ")} order by ${order} limit ?) as ${table}`),
      ),
    async isFew(filter: ListFilter) {
      const counted = await run(
        "few",
        [filter],
        [slice],
        (own) => sql`select 1 from ${table} where ${own!} limit 1 offset ?`,
      );
      return counted.length === 0;
    },
    async end(way: ListFilter, from: Place | undefined, count: number): Promise<Place | undefined> {
      const [end] = await run<Record<string, number>>(
        "end",
        [way, bound(behind, from)],
        [count - 1],
        (own, begins) =>
          sql`select ${columns.join(", ")} from ${table} where ${own!} and ${begins!} order by ${order} limit 1 offset ?`,
      );
      return end && columns.map((column) => end[column]!);
    },
  };
}
