/**
 * Kysely's SQLite dialect with the three things that it lacks for a server: one holder of the connection at a time,
 * transactions that begin IMMEDIATE (a read followed by a write cannot fail half way), and a BEGIN that waits for
 * another process without blocking the event loop.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type BetterSqlite from "better-sqlite3";
import { SqliteAdapter, SqliteDialect, SqliteDriver } from "kysely";
import type { DatabaseConnection, DialectAdapter, Driver } from "kysely";
import { isLocked } from "./sqlite-file.ts";

/** A BEGIN that finds another process at work tries again after so many milliseconds: to find the database locked costs a hundredth of that. */
const beginPause = 1;

/** Kysely's own lock for the one connection is one more turn for each change; the driver has its own. */
class LinelessSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** How the wait of a BEGIN for another process is bounded, and who hears of it. */
export interface BeginPatience {
  /** Until when it may wait, as performance.now() says; asked when it begins. */
  readonly deadline: number;
  /** It found another process at work. */
  metAnother(): void;
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #database: BetterSqlite.Database;
  readonly #begin: BetterSqlite.Statement;
  readonly #commit: BetterSqlite.Statement;
  readonly #rollback: BetterSqlite.Statement;
  readonly #patience: BeginPatience;
  #lastHolder: Promise<void> = Promise.resolve();
  #release: (() => void) | undefined;

  constructor(database: BetterSqlite.Database, patience: BeginPatience) {
    super({ database });
    this.#database = database;
    this.#patience = patience;
    this.#begin = database.prepare("begin immediate");
    this.#commit = database.prepare("commit");
    this.#rollback = database.prepare("rollback");
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#lastHolder;
    let release = () => {};
    this.#lastHolder = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  override async beginTransaction(): Promise<void> {
    const { deadline } = this.#patience;
    for (;;) {
      try {
        this.#begin.run();
        return;
      } catch (error) {
        if (!isLocked(error) || performance.now() >= deadline) throw error;
        this.#patience.metAnother();
        await sleep(beginPause);
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
  readonly #patience: BeginPatience;

  constructor(database: BetterSqlite.Database, patience: BeginPatience) {
    super({ database });
    this.#database = database;
    this.#patience = patience;
  }

  override createAdapter(): DialectAdapter {
    return new LinelessSqliteAdapter();
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#database, this.#patience);
  }
}
