/** What keeps data whole while SQLite tables are made anew: a copy is filled, the table dropped, the copy renamed. */
import type BetterSqlite from "better-sqlite3";
import { keepingAsideInFiles } from "./sqlite-file.ts";

/**
 * Runs `work` (a transaction) while foreign keys rest: otherwise dropping a table deletes the rows that point at it with
 * ON DELETE CASCADE. What is kept aside goes to files meanwhile, since it may be as large as the database. Neither pragma does anything inside a
 * transaction, so both are set around it.
 */
export async function asSchemaChange<Result>(
  writer: BetterSqlite.Database,
  work: () => Promise<Result>,
): Promise<Result> {
  writer.pragma("foreign_keys = OFF");
  try {
    return await keepingAsideInFiles(writer, work);
  } finally {
    writer.pragma("foreign_keys = ON");
  }
}

/** Throws when a row points at nothing; called before the commit, so that nothing stays of what caused it. */
export function checkForeignKeys(writer: BetterSqlite.Database): void {
  const broken = writer.pragma("foreign_key_check") as { table: string; parent: string }[];
  const [first] = broken;
  if (first === undefined) return;
  throw new Error(`${broken.length} rows point at nothing, the first in ${first.table} at ${first.parent}`);
}

type Mark = { name: string; seq: number };

/** The highest id that each table ever gave out. */
export function readIdMarks(writer: BetterSqlite.Database): Mark[] {
  const exists = writer.prepare("select 1 from sqlite_master where name = 'sqlite_sequence'").get();
  return exists === undefined ? [] : (writer.prepare("select name, seq from sqlite_sequence").all() as Mark[]);
}

/** A table made anew would give out the ids of deleted rows again: puts the marks back where they were. */
export function restoreIdMarks(writer: BetterSqlite.Database, marks: readonly Mark[]): void {
  const raise = writer.prepare("update sqlite_sequence set seq = max(seq, ?) where name = ?");
  const insert = writer.prepare(
    "insert into sqlite_sequence (name, seq) select name, ? from sqlite_master where type = 'table' and name = ?",
  );
  for (const { name, seq } of marks) {
    if (raise.run(seq, name).changes === 0) insert.run(seq, name);
  }
}
