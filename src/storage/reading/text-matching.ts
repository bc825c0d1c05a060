/** Substring search, the same on both databases. Both texts are folded before: neither database folds. */
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
