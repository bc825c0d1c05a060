/**
 * A text index by trigrams of records with several texts, each a line. PostgreSQL keeps the lines, and judges in which of them a text is without reading
 * the record, which is larger.
 */
import { joinSql, sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";
import { defineTrigramIndex } from "./trigram-index.ts";
import type { TrigramIndex } from "./trigram-index.ts";
import { selectLikes } from "./trigram-likes.ts";

interface Lines {
  /** Of records with an `id`, a `location_id` and a `deleted_at`. */
  readonly table: string;
  /** The text columns, whose texts contain no line breaks. */
  readonly columns: readonly string[];
  /** Those of them that are parts of other texts: SQLite, which keeps no texts, leaves them out. */
  readonly parts: readonly string[];
}

export interface LineIndex extends Omit<TrigramIndex, "put"> {
  /** Adds the records that meet a condition, or replaces them. `beside`: further texts, which are found and not judged. */
  putRecords(where: SqlText, beside: readonly SqlText[]): SqlText;
  /**
   * The rows as records, to stand behind `from`, for conditions on the columns, the id, the location and the deletion; binds what `choose` returns. Only
   * where its result has texts, which is on PostgreSQL. Null is an empty text.
   */
  readonly records: SqlText;
  /** The number of the line of a column. */
  lineOf(column: string): number;
}

export function defineLineIndex(
  indexTable: string,
  mostCandidates: number,
  { table, columns, parts }: Lines,
): LineIndex {
  const { put: _put, ...index } = defineTrigramIndex(indexTable, mostCandidates);
  // The text begins with a line break.
  const lineOf = (column: string): number => columns.indexOf(column) + 1;
  const found = selectLikes(indexTable, [
    "id",
    "location_id",
    "cast(null as timestamptz) as deleted_at",
    ...columns.map((column) => `split_part(text, '\n', ${lineOf(column) + 1}) as ${column}`),
  ]);
  return {
    ...index,
    lineOf,
    putRecords(where, beside) {
      const textOf = (own: readonly string[]): SqlText =>
        joinSql([sql`''`, ...own.map((column) => sql`coalesce(${column}, '')`), ...beside], " || '\n' || ");
      const whole = columns.filter((column) => !parts.includes(column));
      return {
        sqlite: `insert or replace into ${indexTable} (rowid, text) select id, ${textOf(whole).sqlite} from ${table} where ${where.sqlite}`,
        postgres: `insert into ${indexTable} (id, location_id, text)
          select id, location_id, ${textOf(columns).postgres} from ${table} where ${where.postgres}
          on conflict (id) do update set text = excluded.text where ${indexTable}.text <> excluded.text`,
      };
    },
    records: { sqlite: "", postgres: `(${found}) as ${table}` },
  };
}
