/** How text is compared without regard to case, the same way on both databases. */
import type BetterSqlite from "better-sqlite3";
import type { Rows } from "./rows.ts";

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
export function folded({ dialect }: Pick<Rows, "dialect">, expression: string): string {
  return dialect === "sqlite" ? `fold_text(${expression})` : `lower(${expression})`;
}

/** SQL that holds when `haystack` contains `needle`; LIKE and its wildcards are not involved. */
export function contains({ dialect }: Pick<Rows, "dialect">, haystack: string, needle: string): string {
  return dialect === "sqlite" ? `instr(${haystack}, ${needle}) > 0` : `strpos(${haystack}, ${needle}) > 0`;
}

/** SQL that holds when `text` begins with `beginning`. `beginning` must be written so that it can stand twice. */
export function startsWith({ dialect }: Pick<Rows, "dialect">, text: string, beginning: string): string {
  return dialect === "sqlite" ? `instr(${text}, ${beginning}) = 1` : `starts_with(${text}, ${beginning})`;
}
