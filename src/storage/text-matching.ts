/** How text is compared without regard to case, the same way on both databases. */
import type BetterSqlite from "better-sqlite3";
import type { SqlText } from "./sql-text.ts";

/** SQLite folds ASCII alone; the two connections learn to fold the rest. */
export function registerTextFolding(database: BetterSqlite.Database): void {
  database.function("fold_text", { deterministic: true }, (text) =>
    typeof text === "string" ? text.toLowerCase() : text,
  );
}

/**
 * SQL for `expression` (a column or a `?`) as it is compared. Both sides of a comparison are folded by the database,
 * so that they always agree with each other.
 */
export function folded(expression: string): SqlText {
  return { sqlite: `fold_text(${expression})`, postgres: `lower(${expression})` };
}

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
