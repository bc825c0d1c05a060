/**
 * Finds opportunities and tasks by their own names: through a text index, or, for short and common texts, by a scan of the location's list in
 * slices, which a fair queue interleaves with others.
 */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { fold } from "../../kit/text.ts";
import { listed } from "../../storage/json.ts";
import { createKeptTexts } from "../../storage/keyset/kept-texts.ts";
import { defineKeyset } from "../../storage/keyset/keyset.ts";
import type { Position, Range, RangeConditions } from "../../storage/keyset/keyset.ts";
import { createSliceQueue, findInSlices } from "../../storage/keyset/slices.ts";
import { judged } from "../../storage/query-plans.ts";
import { mayContain } from "../../storage/reading/text-matching.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { opportunityNames } from "../opportunities/opportunity.names.ts";
import { taskNames } from "../tasks/task.names.ts";
import { inSearchQueue } from "../text-index/search-queue.ts";
import type { RecordNames } from "../text-index/record-names.ts";
import { textsOfWord } from "../text-index/words.ts";
import { mostRanked } from "./search-limits.ts";
import { rankOf } from "./text-rank.ts";
import type { SearchedText } from "./text-rank.ts";

/** A list of records with names, in an order that an index covers. */
export interface NamedList {
  readonly names: RecordNames;
  /** SQL: whether the record is still to be done, and so goes before others of its rank. */
  readonly isOpen: string;
  readonly order: string;
  within(range: Range): RangeConditions;
  /** The columns of a position. */
  readonly time: string;
}

/** Newest first. */
export const namedOpportunities: NamedList = {
  names: opportunityNames,
  isOpen: "status = 'open'",
  order: "id desc",
  time: "0",
  within({ after, until }) {
    const ends = [
      ...(after === undefined ? [] : [{ text: sql`id < ?`, id: after[1] }]),
      ...(until === undefined ? [] : [{ text: sql`id >= ?`, id: until[1] }]),
    ];
    return { texts: ends.map(({ text }) => text), params: ends.map(({ id }) => id) };
  },
};

/** The latest due date first, and those without one before all. */
export const namedTasks: NamedList = {
  names: taskNames,
  isOpen: "completed_at is null",
  time: "due_at",
  ...defineKeyset({ time: "due_at", id: "id" }),
};

export interface NamedMatch {
  readonly id: number;
  readonly rank: number;
  readonly isOpen: boolean;
  readonly name: string;
}

/** Records of the first slice. */
export const firstSlice = 1000;
const largestSlice = 16_000;
/** Milliseconds of a slice, after which the next one is not larger. */
const longSlice = 8;

/** The most words that the database compares. */
const mostParts = 4;

const ofList = sql`location_id = ?`;
/** Among candidates, whose place in the list does not matter to the database. One that lost its name is a candidate until the index follows. */
const amongConditionsOf = ({ names }: NamedList): SqlText[] => [
  sql`${judged("location_id")} = ?`,
  sql`id in ${listed}`,
  sql`${names.isIndexed}`,
];

const inSliceQueue = createSliceQueue();
const keptText = createKeptTexts();

interface NameOfRecord {
  readonly id: number;
  readonly name: string;
  readonly is_open: boolean | number;
}

/** The first matches in the order of the list, best first, and among equals open ones first. */
export async function findNamed(
  reader: Reader<LocationContext>,
  list: NamedList,
  search: SearchedText,
  size: number = firstSlice,
): Promise<NamedMatch[]> {
  if (search.words.length === 0) return [];
  const candidates = await list.names.findCandidates(reader, search.words.map(textsOfWord));
  const found =
    candidates === undefined
      ? await findInList(reader, list, search, size)
      : await findAmong(reader, list, search, candidates);
  return found.toSorted((one, other) => one.rank - other.rank || Number(other.isOpen) - Number(one.isOpen));
}

async function findAmong(
  reader: Reader<LocationContext>,
  list: NamedList,
  search: SearchedText,
  ids: readonly number[],
): Promise<NamedMatch[]> {
  const conditions = amongConditionsOf(list);
  const text = keptText(`among ${list.names.table}`, conditions, () => sliceText(list, conditions));
  const rows = await inSearchQueue(reader, () =>
    reader.rows<NameOfRecord>(text, [reader.location.id, JSON.stringify(ids)]),
  );
  return rows.flatMap((row) => judge(search, row) ?? []).slice(0, mostRanked);
}

async function findInList(
  reader: Reader<LocationContext>,
  list: NamedList,
  search: SearchedText,
  size: number,
): Promise<NamedMatch[]> {
  const parts = search.words.flatMap((word) => word.split(" "));
  // Fewer conditions pass more rows, and there are few statements of them.
  const condition = mayContain(sql`${list.names.column}`, parts.slice(0, mostParts));

  const inRange = (range: Range, others: readonly SqlText[]) => {
    const { texts, params } = list.within(range);
    return { texts: [ofList, ...texts, ...others], params: [reader.location.id, ...params] };
  };

  return findInSlices<NamedMatch>(mostRanked, {
    queue: inSliceQueue,
    holder: queueKeyOf(reader),
    from: undefined,
    size,
    nextSize: (last, took) => (took > longSlice ? Math.ceil(last / 2) : Math.min(last * 2, largestSlice)),
    async findEnd(after, count) {
      const { texts, params } = inRange({ after }, []);
      const text = keptText(`end ${list.names.table}`, texts, () => endText(list, texts));
      const [row] = await reader.rows<{ time: number; id: number }>(text, [...params, count - 1]);
      return row && ([row.time, row.id] satisfies Position);
    },
    async find(range, most) {
      const { texts, params } = inRange(range, [condition.text]);
      const text = keptText(`slice ${list.names.table}`, texts, () => sliceText(list, texts));
      const rows = await reader.rows<NameOfRecord>(text, [...params, ...condition.params]);
      return rows.flatMap((row) => judge(search, row) ?? []).slice(0, most);
    },
  });
}

function judge(search: SearchedText, { id, name, is_open }: NameOfRecord): NamedMatch | undefined {
  const rank = rankOf(search, fold(name));
  return rank === undefined ? undefined : { id, rank, isOpen: Boolean(is_open), name };
}

function sliceText({ names, isOpen, order }: NamedList, conditions: readonly SqlText[]): SqlText {
  return sql`select id, ${names.column} as name, ${isOpen} as is_open from ${names.table}
    where ${joinSql(conditions, " and ")} order by ${order}`;
}

function endText({ names, time, order }: NamedList, conditions: readonly SqlText[]): SqlText {
  return sql`select ${time} as time, id from ${names.table} where ${joinSql(conditions, " and ")} order by ${order} limit 1 offset ?`;
}
