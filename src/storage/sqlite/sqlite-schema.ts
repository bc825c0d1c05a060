/** Guards schema changes on SQLite, which rebuild tables: a copy is filled, the table dropped, the copy renamed. */
import type BetterSqlite from "better-sqlite3";
import { keepingAsideInFiles } from "./sqlite-file.ts";

/**
 * Runs `work` (a transaction) with foreign keys off: otherwise dropping a table would cascade deletes. Rollback data
 * goes to files, since it may be as large as the database. Neither pragma has an effect inside a transaction, so both
 * are set around it.
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

interface BrokenReference {
  readonly table: string;
  readonly parent: string;
}

/** Those that exist of the tables in a list, and those that refer to one of them. */
const relatedText = `select name from sqlite_master where type = 'table' and (name in (select value from json_each(@tables))
  or exists (select 1 from pragma_foreign_key_list(sqlite_master.name) as key where key."table" in (select value from json_each(@tables))))`;

/**
 * Throws on a dangling foreign key; called before the commit, so that the transaction is rolled back. Reads the tables that `written` are related to,
 * by default all: that takes ten seconds at a million contacts.
 */
export function checkForeignKeys(writer: BetterSqlite.Database, written: readonly string[] | null): void {
  const broken =
    written === null
      ? (writer.pragma("foreign_key_check") as BrokenReference[])
      : (
          writer
            .prepare(relatedText)
            .pluck()
            .all({ tables: JSON.stringify(written) }) as string[]
        ).flatMap((table) => writer.pragma(`foreign_key_check("${table}")`) as BrokenReference[]);
  const [first] = broken;
  if (first === undefined) return;
  throw new Error(`${broken.length} rows violate a foreign key, the first in ${first.table} to ${first.parent}`);
}

type Mark = { name: string; seq: number };

/** The highest ID each table has assigned. */
export function readIdMarks(writer: BetterSqlite.Database): Mark[] {
  const exists = writer.prepare("select 1 from sqlite_master where name = 'sqlite_sequence'").get();
  return exists === undefined ? [] : (writer.prepare("select name, seq from sqlite_sequence").all() as Mark[]);
}

/** A rebuilt table would reuse the IDs of deleted rows: restores the sequences. */
export function restoreIdMarks(writer: BetterSqlite.Database, marks: readonly Mark[]): void {
  const raise = writer.prepare("update sqlite_sequence set seq = max(seq, ?) where name = ?");
  const insert = writer.prepare(
    "insert into sqlite_sequence (name, seq) select name, ? from sqlite_master where type = 'table' and name = ?",
  );
  for (const { name, seq } of marks) {
    if (raise.run(seq, name).changes === 0) insert.run(seq, name);
  }
}
