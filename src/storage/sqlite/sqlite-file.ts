/** Opens the two connections to an SQLite file: one that writes, and one that only reads and never waits for it. */
import { closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite from "better-sqlite3";
import { makeDataFolder } from "../data-folder.ts";
import { migrationTable } from "../migrations/migration-files.ts";
import { DatabaseError, noDatabase, notOurs } from "../open-faults.ts";

export interface SqliteFile {
  readonly writer: BetterSqlite.Database;
  readonly reader: BetterSqlite.Database;
  close(): void;
}

/** How long opening waits for another process that opens the file as well, in milliseconds. It blocks. */
const openPatience = 2000;

/** Under WAL a read waits only while another process cleans up after a crash or closes the file, for moments. */
const readPatience = 40;

/**
 * With `create` it makes the file and its folder, both for the owner alone, when they are not there, and otherwise throws a
 * DatabaseError. Throws what the file system or better-sqlite3 throws.
 */
export function openSqliteFile(path: string, { create }: { create: boolean }): SqliteFile {
  if (!create && statSync(path, { throwIfNoEntry: false }) === undefined) throw noDatabase(path);
  makeDataFolder(dirname(path));
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
    // The switch to WAL is the one moment that may wait in the driver; afterwards waiting is done without blocking.
    const writer = open({ timeout: openPatience });
    refuseForeign(writer);
    refuseOtherEncodings(writer);
    writer.pragma("journal_mode = WAL");
    writer.pragma("synchronous = FULL");
    writer.pragma("foreign_keys = ON");
    writer.pragma("busy_timeout = 0");
    keepAside(writer, "memory");
    const reader = open({ readonly: true, fileMustExist: true, timeout: readPatience });
    // KiB. Not mapped into memory instead: a read that fails there would end the process.
    reader.pragma("cache_size = -32768");
    return { writer, reader, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Where the writing connection keeps what undoes a savepoint, and what it sorts. A change that shares a commit has a savepoint, for which each page that it
 * touches is written down as it was: more than goes to the log. In files that was half of the time in the system.
 */
function keepAside(writer: BetterSqlite.Database, where: "memory" | "files"): void {
  writer.pragma(`temp_store = ${where === "memory" ? "MEMORY" : "FILE"}`);
}

/** Has it lie in files while `work` is done: it may be as large as the database. To be called outside of a transaction, in which the pragma does nothing. */
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

/** Makes the file if it is not there. SQLite itself would let others read it; what it keeps beside it has the mode of the file. */
function makePrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

export function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

/** Runs `work` while it holds the lock file at `path`: a process that dies lets go of it by dying. */
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

/** Somebody else's database is left as it is: the switch to WAL would stay in its file. */
function refuseForeign(database: BetterSqlite.Database): void {
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all();
  if (tables.length > 0 && !tables.includes(migrationTable)) throw notOurs();
}

/** Text would be compared by the bytes of UTF-16: an order that nobody expects. A file that we make is UTF-8. */
function refuseOtherEncodings(database: BetterSqlite.Database): void {
  const encoding = database.pragma("encoding", { simple: true });
  if (encoding === "UTF-8") return;
  throw new DatabaseError(
    `The SQLite database ${database.name} has the encoding ${String(encoding)}, and crm needs UTF-8.`,
  );
}
