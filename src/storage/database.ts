/** What the rest of the service knows of a database: rows, units of work, a knock when another process commits. */
import type { EntitySchema, MikroORM } from "@mikro-orm/core";
import type { EntityManager } from "@mikro-orm/sql";
import type { IdsAhead } from "./inserting/ids-ahead.ts";
import type { Rows, Writer } from "./rows.ts";
import type { Dialect } from "./sql-text.ts";

/** One open transaction. `em` is made when first asked for and dies with the transaction. */
export interface Transaction extends Writer {
  readonly em: EntityManager;
}

/** `large`: touches thousands of pages. On SQLite it has a commit of its own, and what would undo it lies in files. */
export type ChangeSize = "large" | undefined;

/** disk_full: no room. refused: read-only, or storage that fails. */
export type WriteFault = "disk_full" | "refused";

export interface Database extends Rows {
  /** For what is kept apart by database, as the migrations are; a statement that differs is a SqlText. */
  readonly dialect: Dialect;
  readonly orm: MikroORM;
  /** Reads that are answered, or fail within five seconds, also while everybody else waits: how the database is. */
  readonly reserve: Rows;
  /**
   * Runs `work` in one transaction and resolves after it is on disk. Never call it inside `work`: units do not nest
   * (on SQLite the second would wait for the first for ever). Where it had to wait for a lock it is rolled back and run
   * anew from its beginning, so what it leaves outside of the transaction must be none the worse for it. `ids` need not be asked for.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    ids?: IdsAhead,
    size?: ChangeSize,
  ): Promise<Result>;
  /** Why writes fail; null while they succeed, and again once a probe write has succeeded. Does not write while there was no fault. */
  writeFault(): Promise<WriteFault | null>;
  /** A transaction in which tables may be made and made anew; on SQLite without deleting what points at them. */
  changeSchema<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Calls `listener` some time after another process committed something; returns how to stop. */
  watchCommits(listener: () => void): Promise<() => Promise<void>>;
  /** Tells other processes that something was committed. Cheap to call often: knocks are run together. */
  announceCommit(): void;
  /** Keeps every other process that asks for the same name waiting until `work` is done. */
  exclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** What both databases are opened with. */
export interface OrmOptions {
  entities: EntitySchema[];
  forceUtcTimezone: boolean;
  ensureDatabase: false;
  debug: false;
}
