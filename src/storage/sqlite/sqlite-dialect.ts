/**
 * Kysely's SQLite dialect, adapted to a server: one holder of the connection at a time, transactions that BEGIN
 * IMMEDIATE (so that a read followed by a write cannot fail midway), and a BEGIN that waits for another process without
 * blocking the event loop.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type BetterSqlite from "better-sqlite3";
import { SqliteAdapter, SqliteDialect, SqliteDriver } from "kysely";
import type { DatabaseConnection, DialectAdapter, Driver } from "kysely";
import { isLocked } from "./sqlite-file.ts";

/** Retry interval of a BEGIN while another process writes, in milliseconds; an attempt takes a hundredth of that. */
const beginPause = 1;

/** Kysely's connection mutex costs an extra turn of the event loop per change; the driver has its own. */
class LinelessSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Bounds how long a BEGIN waits for another process, and observes it. */
export interface BeginPatience {
  /** Deadline of the wait by performance.now(); read when it begins. */
  readonly deadline: number;
  /** Another process was writing. */
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
    // A full disk rolls back automatically; a second ROLLBACK would replace the original error.
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
