/**
 * Kysely's SQLite dialect with the three things that it lacks for a server: one holder of the connection at a time,
 * transactions that begin IMMEDIATE (a read followed by a write cannot fail half way), and a BEGIN that waits for
 * another process without blocking the event loop.
 */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type BetterSqlite from "better-sqlite3";
import { SqliteAdapter, SqliteDialect, SqliteDriver } from "kysely";
import type { DatabaseConnection, DialectAdapter, Driver } from "kysely";
import { isLocked } from "./sqlite-file.ts";

/**
 * How long a change waits for another process that holds the database, in milliseconds, counted from when it asked for
 * the connection: those that stand in line behind it wait in the same seconds and not in seconds of their own.
 */
const beginPatience = 4000;

/** Kysely's own line for the one connection would hide from the driver how long a change has stood in it. */
class LinelessSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #database: BetterSqlite.Database;
  readonly #begin: BetterSqlite.Statement;
  readonly #commit: BetterSqlite.Statement;
  readonly #rollback: BetterSqlite.Statement;
  #lastHolder: Promise<void> = Promise.resolve();
  #release: (() => void) | undefined;
  #askedAt = 0;

  constructor(database: BetterSqlite.Database) {
    super({ database });
    this.#database = database;
    this.#begin = database.prepare("begin immediate");
    this.#commit = database.prepare("commit");
    this.#rollback = database.prepare("rollback");
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    // Nothing that SQLite does waits for anything, so a loop of changes would never let the process do something else.
    await setImmediate();
    const askedAt = performance.now();
    const before = this.#lastHolder;
    let release = () => {};
    this.#lastHolder = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    this.#askedAt = askedAt;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  override async beginTransaction(): Promise<void> {
    for (let longestPause = 2; ; longestPause = Math.min(20, longestPause * 1.2)) {
      try {
        this.#begin.run();
        return;
      } catch (error) {
        if (!isLocked(error) || performance.now() - this.#askedAt >= beginPatience) throw error;
        // Jitter, so that two processes that met once do not meet again and again.
        await sleep(1 + Math.random() * longestPause);
      }
    }
  }

  override async commitTransaction(): Promise<void> {
    this.#commit.run();
  }

  override async rollbackTransaction(): Promise<void> {
    // A full disk rolls back by itself; a second ROLLBACK would hide the first error behind its own.
    if (this.#database.inTransaction) this.#rollback.run();
  }
}

export class ImmediateSqliteDialect extends SqliteDialect {
  readonly #database: BetterSqlite.Database;

  constructor(database: BetterSqlite.Database) {
    super({ database });
    this.#database = database;
  }

  override createAdapter(): DialectAdapter {
    return new LinelessSqliteAdapter();
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#database);
  }
}
