/**
 * A text index by trigrams of records with several texts, each a line, so that a text is found where it is looked for: PostgreSQL indexes each line by itself,
 * SQLite in an alphabet of its own. PostgreSQL keeps the lines, and judges them without reading the record, which is larger.
 */
import { joinSql, sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";
import { mostAlphabets } from "./trigram-alphabets.ts";
import { defineTrigramIndex } from "./trigram-index.ts";
import type { IndexedLine, TrigramIndex, TrigramLookUp } from "./trigram-index.ts";

interface Lines {
  /** Of records with an `id`, a `location_id` and a `deleted_at`. */
  readonly table: string;
  /** The text columns, whose texts contain no line breaks. */
  readonly columns: readonly string[];
  /** Those of them that SQLite does not tell apart, since they are often searched together. */
  readonly together: readonly string[];
}

/** SQL of further texts, which are not judged. */
export interface TextsBeside {
  /** Found in any line. */
  readonly anywhere: SqlText;
  /** Found in the lines that are not told apart at least. */
  readonly together?: SqlText;
}

export interface LineIndex extends Omit<TrigramIndex, "put"> {
  /** Adds the records that meet a condition, or replaces them. */
  putRecords(where: SqlText, beside: TextsBeside): SqlText;
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
  { table, columns, together }: Lines,
): LineIndex {
  const own = columns.filter((column) => !together.includes(column));
  if (own.length > mostAlphabets) throw new Error(`${indexTable} has more lines than alphabets`);
  const alphabetOf = (column: string): number => own.indexOf(column) + 1;
  const lines = linesOf(columns.length).map((expression, place): IndexedLine => ({
    expression,
    alphabet: alphabetOf(columns[place]!),
  }));
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
      const textOfEach = columns.map((column) => sql`coalesce(${column}, '')`);
      const besideInLine = joinSql([beside.together ?? [], beside.anywhere].flat(), " || ' ' || ");
      const inAlphabet = (alphabet: number, texts: readonly string[]): string =>
        `indexed_lines(${[alphabet, ...texts, beside.anywhere.sqlite].join(", ")})`;
      const ofTogether = [...together, beside.together?.sqlite ?? []].flat();
      const inAlphabets = [
        ...(ofTogether.length > 0 ? [inAlphabet(0, ofTogether)] : []),
        ...own.map((column) => inAlphabet(alphabetOf(column), [column])),
      ];
      return {
        sqlite: `insert or replace into ${indexTable} (rowid, text)
          select id, ${inAlphabets.join(" || ")} from ${table} where ${where.sqlite}`,
        postgres: `insert into ${indexTable} (id, location_id, text)
          select id, location_id, ${joinSql([sql`''`, ...textOfEach, sql`translate(${besideInLine}, '\n', ' ')`], " || '\n' || ").postgres} from ${table} where ${where.postgres}
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
