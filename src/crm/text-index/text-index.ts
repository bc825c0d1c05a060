/**
 * Text indexes that a duty updates after the commit (text-index.follower.ts). Candidates are the rows of an index and all records that changed
 * since; the caller judges them, so that the result is exact.
 */
import type { LocationContext, Reader } from "../../events/caller.ts";
import type { Transaction } from "../../storage/database.ts";
import type { SampleMemory } from "../../storage/reading/trigram-estimates.ts";
import type { TrigramIndex } from "../../storage/reading/trigram-index.ts";
import type { Rows } from "../../storage/rows.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { Value } from "../../storage/value.ts";
import { inSearchQueue } from "./search-queue.ts";

/** The rows of `text_indexes`. */
export const textIndexIds = { opportunities: 2, tasks: 3, contact_names: 9, contact_others: 10 } as const;
export type TextIndexName = keyof typeof textIndexIds;

/** The most candidates of an index: judging them takes about as long as a slice of the ordered scan, which is used instead of more. */
export const mostCandidates = 5000;
/** The most changes that an index does not contain yet. */
export const mostChanges = 2000;

/** How an index is kept up to date and built. */
export interface FollowedTexts {
  readonly name: TextIndexName;
  /** The table of the records. */
  readonly table: "contacts" | "opportunities" | "tasks";
  readonly index: Omit<TrigramIndex, "put">;
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

/** SQL: one row if these indexes are complete. */
export function areComplete(names: readonly TextIndexName[]): string {
  const ids = names.map((name) => textIndexIds[name]).join(", ");
  return `select 1 as one where (select count(*) from text_indexes where id in (${ids}) and built_to is null) = ${names.length}`;
}

/**
 * One statement, and so one moment of the database. `found` selects the ids that the indexes find, `changed` those of changed records, one more than
 * `mostChanges` at the most. Binds what these bind.
 */
export function candidatesText(
  indexes: readonly TextIndexName[],
  found: readonly SqlText[],
  changed: readonly SqlText[],
): SqlText {
  return joinSql(
    [
      sql`select 'complete' as origin, null as id from (${areComplete(indexes)}) as state`,
      ...found.map((ids) => sql`select 'index' as origin, id from (${ids}) as candidates`),
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

interface LookedUp {
  /** Of `candidatesText`. */
  readonly text: SqlText;
  /** What it binds. */
  readonly values: readonly Value[];
  /** Whether it may take half a second. */
  readonly isLong: boolean;
}

/** The ids that look-ups find, and those of changed records; undefined if an index is incomplete, or they are too many. */
export async function readCandidates(
  reader: Reader<LocationContext>,
  { text, values, isLong }: LookedUp,
): Promise<number[] | undefined> {
  const read = (): Promise<CandidateRow[]> => reader.rowsOnce(text, values);
  const found = await inSearchQueue(reader, read, { isLong });
  const { complete = [], index: indexed = [], changed = [] } = Object.groupBy(found, ({ origin }) => origin);
  if (complete.length === 0 || indexed.length > mostCandidates || changed.length > mostChanges) return undefined;
  return [...new Set([...indexed, ...changed].flatMap((row) => row.id ?? []))];
}
