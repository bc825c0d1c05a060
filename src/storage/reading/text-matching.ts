/** How a part of a text is looked for, the same way on both databases. Both texts are folded already: no database folds any. */
import type { SqlText } from "../sql-text.ts";

/** SQL that holds when `haystack` contains `needle`; LIKE and its wildcards are not involved. */
export function contains(haystack: SqlText, needle: SqlText): SqlText {
  return {
    sqlite: `instr(${haystack.sqlite}, ${needle.sqlite}) > 0`,
    postgres: `strpos(${haystack.postgres}, ${needle.postgres}) > 0`,
  };
}

/** SQL that holds when `text` begins with `beginning`. */
export function startsWith(text: SqlText, beginning: SqlText): SqlText {
  return {
    sqlite: `instr(${text.sqlite}, ${beginning.sqlite}) = 1`,
    postgres: `starts_with(${text.postgres}, ${beginning.postgres})`,
  };
}
