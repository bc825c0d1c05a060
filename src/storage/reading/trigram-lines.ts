/**
 * A text index by trigrams of records with several texts, each a line. PostgreSQL keeps the lines and indexes each by itself, so that it finds a text
 * where it is looked for, and judges it without reading the record, which is larger.
 */
import { joinSql, sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";
import { defineTrigramIndex } from "./trigram-index.ts";
import type { TrigramIndex, TrigramLookUp } from "./trigram-index.ts";

interface Lines {
  /** Of records with an `id`, a `location_id` and a `deleted_at`. */
  readonly table: string;
  /** The text columns, whose texts contain no line breaks. */
  readonly columns: readonly string[];
  /** Those of them that are parts of other texts: SQLite, which keeps no texts, leaves them out. */
  readonly parts: readonly string[];
}

export interface LineIndex extends Omit<TrigramIndex, "put"> {
  /** Adds the records that meet a condition, or replaces them. `beside`: further texts, which are found in any line and not judged. */
  putRecords(where: SqlText, beside: readonly SqlText[]): SqlText;
  /**
   * The rows of a look-up as records, to stand behind `from`, for conditions on the columns, the id, the location and the deletion; binds its `value`. Only
   * where it has texts, which is on PostgreSQL. Null is an empty text.
   */
  records(lookUp: TrigramLookUp): SqlText;
  /** The number of the line of a column. */
  lineOf(column: string): number;
}

export function defineLineIndex(
  indexTable: string,
  mostCandidates: number,
  { table, columns, parts }: Lines,
): LineIndex {
  const lines = linesOf(columns.length);
  const { put: _put, ...index } = defineTrigramIndex(indexTable, mostCandidates, lines);
  const lineOf = (column: string): number => columns.indexOf(column) + 1;
  const asRecords = [
    "id",
    "location_id",
    "cast(null as timestamptz) as deleted_at",
    ...columns.map((column) => `${lineText(lineOf(column))} as ${column}`),
  ];
  return {
    ...index,
    lineOf,
    putRecords(where, beside) {
      const join = (texts: readonly SqlText[]): SqlText => joinSql(texts, " || '\n' || ");
      const textsOf = (own: readonly string[]) => own.map((column) => sql`coalesce(${column}, '')`);
      const whole = columns.filter((column) => !parts.includes(column));
      const besideInLine = sql`translate(${joinSql(beside, " || ' ' || ")}, '\n', ' ')`;
      return {
        sqlite: `insert or replace into ${indexTable} (rowid, text)
          select id, ${join([sql`''`, ...textsOf(whole), ...beside]).sqlite} from ${table} where ${where.sqlite}`,
        postgres: `insert into ${indexTable} (id, location_id, text)
          select id, location_id, ${join([sql`''`, ...textsOf(columns), besideInLine]).postgres} from ${table} where ${where.postgres}
          on conflict (id) do update set text = excluded.text where ${indexTable}.text <> excluded.text`,
      };
    },
    records: ({ select }) => ({ sqlite: "", postgres: `(${select(asRecords).postgres}) as ${table}` }),
  };
}

/** The text begins with a line break. */
const lineText = (line: number): string => `split_part(text, chr(10), ${line + 1})`;

/** What PostgreSQL indexes: each line with the texts beside, which may be those of any column. */
export function linesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => `(${lineText(place + 1)} || ' ' || ${lineText(count + 1)})`);
}
