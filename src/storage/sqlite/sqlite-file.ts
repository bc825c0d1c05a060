/** Opens the two connections to an SQLite file: a writer, and a reader that never waits for it. */
import { closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite from "better-sqlite3";
import { makeFolder } from "../data-folder.ts";
import { indexedLines } from "../reading/trigram-alphabets.ts";
import { migrationTable } from "../migrations/migration-files.ts";
import { DatabaseError, noDatabase, foreignDatabase } from "../open-faults.ts";
import { Unavailable } from "../../vocabulary/errors.ts";

export interface SqliteFile {
  readonly writer: BetterSqlite.Database;
  readonly reader: BetterSqlite.Database;
  close(): void;
}

/** Timeout for opening while another process opens the file, in milliseconds. It blocks. */
const openPatience = 2000;

/** Under WAL, a read waits only for moments, while another process recovers from a crash or closes the file. */
const readPatience = 40;

/**
 * With `create`, a missing file and folder are created, accessible to the owner only; without it, a missing file throws
 * a DatabaseError. Throws errors of the file system and of better-sqlite3.
 */
export function openSqliteFile(path: string, { create }: { create: boolean }): SqliteFile {
  if (!create && statSync(path, { throwIfNoEntry: false }) === undefined) throw noDatabase(path);
  makeFolder(dirname(path));
  makePrivate(path);
  const opened: BetterSqlite.Database[] = [];
  const open = (options: BetterSqlite.Options): BetterSqlite.Database => {
    const database = new BetterSqlite(path, options);
    opened.push(database);
    return database;
  };
  const close = () => {
    for (const database of opened.toReversed()) database.close();
  };
  try {
    // Only the switch to WAL may wait in the driver; all later waits are non-blocking.
    const writer = open({ timeout: openPatience });
    refuseForeign(writer);
    refuseOtherEncodings(writer);
    writer.pragma("journal_mode = WAL");
    writer.pragma("synchronous = FULL");
    writer.pragma("foreign_keys = ON");
    // Deleted bytes are overwritten in the change that deletes them: a person who is forgotten is gone from the file, too.
    writer.pragma("secure_delete = ON");
    writer.pragma("busy_timeout = 0");
    keepAside(writer, "memory");
    writer.function("indexed_lines", { deterministic: true, varargs: true }, indexedLines);
    const reader = open({ readonly: true, fileMustExist: true, timeout: readPatience });
    // In KiB. No memory mapping: a failing read there would end the process.
    reader.pragma("cache_size = -32768");
    return { writer, reader, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** A connection of its own that reads the database as it is now, until it is closed. */
export function openSnapshot(path: string): BetterSqlite.Database {
  const snapshot = new BetterSqlite(path, { readonly: true, fileMustExist: true, timeout: readPatience });
  try {
    snapshot.exec("begin");
    // The first read fixes the moment.
    snapshot.prepare("select 1 from sqlite_master").get();
    return snapshot;
  } catch (error) {
    snapshot.close();
    throw error;
  }
}

/**
 * Where the writer keeps statement journals and sorts. A change that shares a commit has a savepoint, which saves each
 * page it modifies: more data than the WAL. In files this took half of the system time.
 */
function keepAside(writer: BetterSqlite.Database, where: "memory" | "files"): void {
  writer.pragma(`temp_store = ${where === "memory" ? "MEMORY" : "FILE"}`);
}

/**
 * Keeps rollback data in files during `work`: it may be as large as the database. Call it outside of a transaction, in
 * which the pragma has no effect.
 */
export async function keepingAsideInFiles<Result>(
  writer: BetterSqlite.Database,
  work: () => Promise<Result>,
): Promise<Result> {
  keepAside(writer, "files");
  try {
    return await work();
  } finally {
    keepAside(writer, "memory");
  }
}

/** Moves the write-ahead log into the database and cuts it to nothing, outside of a transaction; false while another connection reads or writes. */
export function truncateLog(writer: BetterSqlite.Database): boolean {
  const [result] = writer.pragma("wal_checkpoint(TRUNCATE)") as { readonly busy: number }[];
  return result?.busy === 0;
}

/** Creates a missing file: SQLite itself would make it readable by others. Its journal files take over the mode. */
function makePrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

export function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

/** Runs `work` while holding the lock file `path`; the lock ends with the process. */
export async function holdingLockFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  makePrivate(path);
  const lock = new BetterSqlite(path, { timeout: 0 });
  try {
    while (!tryLock(lock)) await sleep(20 + Math.random() * 30);
    return await work();
  } finally {
    lock.close();
  }
}

function tryLock(lock: BetterSqlite.Database): boolean {
  try {
    lock.exec("begin exclusive");
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

/** A database of another program stays untouched: the switch to WAL would persist in its file. */
function refuseForeign(database: BetterSqlite.Database): void {
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all();
  if (tables.length > 0 && !tables.includes(migrationTable)) throw foreignDatabase();
}

/** Refuses UTF-16: its binary collation has another order. Files created here are UTF-8. */
function refuseOtherEncodings(database: BetterSqlite.Database): void {
  const encoding = database.pragma("encoding", { simple: true });
  if (encoding === "UTF-8") return;
  throw new DatabaseError(
    `The SQLite database ${database.name} has the encoding ${String(encoding)}, and crm needs UTF-8.`,
  );
}

/** Refuses once SQLite has rolled back by itself, as it does when the disk is full: a later statement would commit on its own. */
export function requireTransaction(writer: BetterSqlite.Database, cause?: unknown): void {
  if (!writer.inTransaction) throw new Unavailable(cause, "the database rolled back the transaction");
}
