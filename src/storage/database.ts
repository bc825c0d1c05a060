/** The database as the rest of the service sees it: rows, transactions, and a signal when another process commits. */
import type { EntitySchema, MikroORM } from "@mikro-orm/core";
import type { EntityManager } from "@mikro-orm/sql";
import type { IdsAhead } from "./inserting/ids-ahead.ts";
import type { Rows, Writer } from "./rows.ts";
import type { Dialect, SqlText } from "./sql-text.ts";
import type { Value } from "./value.ts";
import type { WrittenTables } from "../vocabulary/written-tables.ts";

/** What runs in an open transaction. `em` is created on first use and ends with the transaction. */
export interface TransactionStatements extends Writer {
  readonly em: EntityManager;
}

export interface Transaction extends TransactionStatements {
  /** For tables from which it takes work and to which it adds none: listeners are not notified of its commit for their sake. */
  takesFrom(tables: readonly string[]): void;
}

/** `large`: touches thousands of pages. On SQLite it commits alone and keeps its rollback data in files. */
export type ChangeSize = "large" | undefined;

/** disk_full: no space left. refused: read-only, or failing storage. */
export type WriteFault = "disk_full" | "refused";

/** What this process asks of the database. The counters start when it is opened. */
export interface DatabaseLoad {
  /** Work in the queue for the writing connection (SQLite) or for a connection of the pool (PostgreSQL). */
  readonly waiting: number;
  /** Work that has left that queue, and the milliseconds it spent there. */
  readonly waits: number;
  readonly waitedMilliseconds: number;
  /** Transactions that have ended (PostgreSQL), and how long they took, of each at most 20 ms: what takes longer waits for locks, or reads much. */
  readonly transactions: number;
  readonly transactionMilliseconds: number;
  readonly commits: number;
  /** Changes in these commits: on SQLite several share one. */
  readonly changes: number;
}

/** A constant text, as for `rows`, and what it binds. */
export type Select = readonly [text: string | SqlText, params: readonly Value[]];

export interface Database extends Rows {
  /** For data per database, such as the migrations; a differing statement is a SqlText. */
  readonly dialect: Dialect;
  /** Whether statements run in this process, which does nothing else meanwhile, and a transaction keeps all other writers waiting. */
  readonly isInProcess: boolean;
  readonly orm: MikroORM;
  /**
   * The same for what one holder asks: while all connections of PostgreSQL's pool are in use, holders wait in lines of their own, which are served in
   * turn. All others share one line.
   */
  forHolder(holder: string): Pick<Database, "rows" | "rowsOnce" | "transaction">;
  /**
   * The rows of two selects, which go to PostgreSQL in one round trip: each sees what was committed before it began, the second perhaps more than the
   * first.
   */
  rowsOfBoth<First, Second>(first: Select, second: Select): Promise<[First[], Second[]]>;
  /** Health reads, which complete or fail within five seconds even when the pool is exhausted. */
  readonly reserve: Rows;
  /**
   * Runs `work` in a transaction and resolves after the commit is durable. Never call it inside `work`: transactions do
   * not nest (on SQLite the second would deadlock). After a lock conflict it is rolled back and `work` runs again from
   * the beginning, so side effects outside the transaction must be repeatable. `ids` need not be reserved.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    ids?: IdsAhead,
    size?: ChangeSize,
  ): Promise<Result>;
  /**
   * Why writes fail; null while they succeed, and after a successful probe write. Writes nothing unless there was a
   * failure.
   */
  writeFault(): Promise<WriteFault | null>;
  readonly load: DatabaseLoad;
  /** Runs `read` on one moment of the database, which others go on changing. May last as long as it needs to. */
  snapshot<Result>(read: (rows: Rows) => Promise<Result>): Promise<Result>;
  /**
   * Runs a `create index` statement while changes go on, and removes what is left of the index `name` before and after a failure. Absent where a build
   * keeps every change waiting (SQLite).
   */
  readonly buildIndex?: (statement: string, name: string) => Promise<void>;
  /**
   * A transaction for schema changes; on SQLite, tables can be rebuilt without cascading deletes, and foreign keys are checked at the end: those of and to
   * the tables `written`, by default of all.
   */
  changeSchema<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    written?: readonly string[] | null,
  ): Promise<Result>;
  /**
   * Calls `listener` after each commit of `transaction` with the tables that it wrote: of this process at once, of another one with some delay, and
   * with null where that does not say which. Returns the function that stops it.
   */
  watchCommits(listener: (tables: WrittenTables) => void): Promise<() => Promise<void>>;
  /**
   * Removes what changed and deleted rows have left outside of the tables, as far as it can: the write-ahead log of SQLite. False while another
   * reader holds that. PostgreSQL does so by itself (vacuum, recycled WAL).
   */
  purge(): Promise<boolean>;
  /** Holds the named lock across processes while `work` runs. */
  exclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** The options of both databases. */
export interface OrmOptions {
  entities: EntitySchema[];
  forceUtcTimezone: boolean;
  ensureDatabase: false;
  debug: false;
}
