/**
 * Text indexes that a duty updates after the commit (text-index.follower.ts). Candidates are the rows of an index and all records that changed
 * since; the caller judges them, so that the result is exact.
 */
import type { LocationContext, Reader } from "../../events/caller.ts";
import type { Transaction } from "../../storage/database.ts";
import type { SampleMemory } from "../../storage/reading/trigram-estimates.ts";
import type { AnyText, TrigramIndex } from "../../storage/reading/trigram-index.ts";
import type { Rows } from "../../storage/rows.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { Value } from "../../storage/value.ts";
import { inSearchQueue } from "./search-queue.ts";

/** The rows of `text_indexes`. */
export const textIndexIds = { contacts: 1, opportunities: 2, tasks: 3 } as const;

/** The most candidates of an index: judging them takes about as long as a slice of the ordered scan, which is used instead of more. */
export const mostCandidates = 5000;
/** The most changes that an index does not contain yet. */
export const mostChanges = 2000;

/** How an index is kept up to date and built. */
export interface FollowedTexts {
  /** What it indexes: the table of the records. */
  readonly table: keyof typeof textIndexIds;
  readonly index: TrigramIndex;
  /** SQL: whether a record has texts to index. */
  readonly isIndexed: string;
  /** Whether records changed that the index does not contain yet. `position` is that of its state. */
  isBehind(rows: Rows, position: number): Promise<boolean>;
  /** Adds a bounded batch of these. */
  follow(transaction: Transaction, position: number): Promise<void>;
  /** Before a build: changes from now on are followed after it. */
  beginBuild(transaction: Transaction): void;
  /** Adds the records with these ids, or replaces their texts. */
  put(transaction: Transaction, ids: readonly number[]): Promise<void>;
  /** Where the database has no index: forgets a batch of changes that wait for it. Resolves to whether there was one. */
  skip(rows: Rows): Promise<boolean>;
}

/** SQL: one row if the index of the table is complete. */
export function isComplete(table: FollowedTexts["table"]): string {
  return `select 1 as one from text_indexes where id = ${textIndexIds[table]} and built_to is null`;
}

/**
 * One statement, and so one moment of the database. `changed` selects the ids of changed records, one more than `mostChanges` at the most. Binds
 * what `choose` of the index returns, where an index is given, then what `changed` binds.
 */
export function candidatesText(
  { table, index }: Pick<FollowedTexts, "table"> & Partial<Pick<FollowedTexts, "index">>,
  changed: readonly SqlText[],
): SqlText {
  return joinSql(
    [
      sql`select 'complete' as origin, null as id from (${isComplete(table)}) as state`,
      ...(index === undefined ? [] : [sql`select 'index' as origin, id from (${index.candidates}) as candidates`]),
      ...changed.map((ids) => sql`select 'changed' as origin, id from (${ids}) as changed`),
    ],
    " union all ",
  );
}

/** Samples are kept by service. */
export function memoryOf({ tools }: Reader): SampleMemory {
  return { holder: tools, now: tools.clock.now().getTime() };
}

export interface CandidateRow {
  readonly origin: "complete" | "index" | "changed";
  readonly id: number | null;
}

/**
 * The ids of all records of the location that may contain one text of each group, among others; undefined if the index is incomplete, or does
 * not help: the texts are too short or too common.
 */
export async function findCandidatesBy(
  reader: Reader<LocationContext>,
  { index, text, params }: { readonly index: TrigramIndex; readonly text: SqlText; readonly params: readonly Value[] },
  groups: readonly AnyText[],
): Promise<number[] | undefined> {
  const lookUp = await index.choose(reader, groups, { memory: memoryOf(reader) });
  if (lookUp === undefined) return undefined;
  const read = (): Promise<CandidateRow[]> => reader.rowsOnce(text, [lookUp.value, ...params]);
  const found = await inSearchQueue(reader, read, lookUp);
  const { complete = [], index: indexed = [], changed = [] } = Object.groupBy(found, ({ origin }) => origin);
  if (complete.length === 0 || indexed.length > mostCandidates || changed.length > mostChanges) return undefined;
  return [...new Set([...indexed, ...changed].flatMap((row) => row.id ?? []))];
}
