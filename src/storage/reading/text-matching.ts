/** Substring search, the same on both databases. Both texts are folded before: neither database folds. */
import { joinSql, sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";

/** SQL: `haystack` contains `needle`, without LIKE and its wildcards. */
export function contains(haystack: SqlText, needle: SqlText): SqlText {
  return {
    sqlite: `instr(${haystack.sqlite}, ${needle.sqlite}) > 0`,
    postgres: `strpos(${haystack.postgres}, ${needle.postgres}) > 0`,
  };
}

/** SQL: `text` begins with `beginning`. */
export function startsWith(text: SqlText, beginning: SqlText): SqlText {
  return {
    sqlite: `instr(${text.sqlite}, ${beginning.sqlite}) = 1`,
    postgres: `starts_with(${text.postgres}, ${beginning.postgres})`,
  };
}

/** What is known of a folded text without folding it in the database. */
export interface FoldedParts {
  readonly text: SqlText;
  readonly params: readonly string[];
}

/**
 * SQL that holds for each text of `column` whose folded form contains all of `parts` (folded, without spaces), and for some others: the
 * databases fold ASCII alone, and pass every other text. The caller judges again.
 */
export function mayContain(column: SqlText, parts: readonly string[]): FoldedParts {
  const isOther = sql`octet_length(${column}) <> length(${column})`;
  // The folded form of an ASCII text is ASCII.
  if (parts.some((part) => Buffer.byteLength(part) !== part.length)) return { text: isOther, params: [] };
  const lower: SqlText = { sqlite: `lower(${column.sqlite})`, postgres: `lower(${column.postgres} collate "C")` };
  const inAscii = joinSql(
    parts.map(() => contains(lower, sql`?`)),
    " and ",
  );
  return { text: sql`(${isOther} or (${inAscii}))`, params: parts };
}
