/** Rows over an SQLite connection, with a statement cache: constant texts for ever, others LRU. */
import type BetterSqlite from "better-sqlite3";
import { toUnavailable } from "../faults.ts";
import type { RoundTrips } from "../inserting/round-trips.ts";
import type { Writer } from "../rows.ts";
import type { Value } from "../value.ts";
import type { SqlText } from "../sql-text.ts";
import { requireTransaction } from "./sqlite-file.ts";

/** better-sqlite3 cannot bind booleans and dates; columns hold 0 or 1 and milliseconds. */
function bind(value: Value): string | number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.getTime();
  return value;
}

/**
 * Size of the LRU and the maximum text length in it. Filters recur, and preparing costs several times their read; large
 * batches take their time anyway, and their statements much memory.
 */
const recentTexts = 100;
const longestText = 5000;

export class SqliteRows implements Writer {
  readonly #isInTransaction: boolean;
  readonly #database: BetterSqlite.Database;
  readonly #statements = new Map<string, BetterSqlite.Statement>();
  /** By text, most recently used last. */
  readonly #recent = new Map<string, BetterSqlite.Statement>();

  /** `isInTransaction`: refuses statements outside a transaction, which SQLite rolls back by itself when the disk is full. */
  constructor(database: BetterSqlite.Database, { isInTransaction = false } = {}) {
    this.#database = database;
    this.#isInTransaction = isInTransaction;
  }

  // Arrow functions, because a Transaction and a Caller pass them on unbound. SQLite responds synchronously.
  readonly send = <Row>(given: string | SqlText, params: readonly Value[] = []): Row[] => {
    const text = typeof given === "string" ? given : given.sqlite;
    if (text === "") return [];
    if (this.#isInTransaction) requireTransaction(this.#database);
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#prepare(text);
      this.#statements.set(text, statement);
    }
    return run<Row>(statement, params);
  };

  readonly sendOnce = <Row>(given: string | SqlText, params: readonly Value[] = []): Row[] => {
    const text = typeof given === "string" ? given : given.sqlite;
    if (text === "") return [];
    if (this.#isInTransaction) requireTransaction(this.#database);
    return run<Row>(text.length > longestText ? this.#prepare(text) : this.#findRecent(text), params);
  };

  readonly rows = async <Row>(given: string | SqlText, params?: readonly Value[]): Promise<Row[]> =>
    this.send(given, params);

  readonly rowsOnce = async <Row>(given: string | SqlText, params?: readonly Value[]): Promise<Row[]> =>
    this.sendOnce(given, params);

  readonly roundTrips: RoundTrips = {
    rowsLater: <Row>(given: string | SqlText, params?: readonly Value[]) => {
      const rows = this.send<Row>(given, params);
      return async () => rows;
    },
    reserveIds() {},
    takeIds: async () => undefined,
  };

  #findRecent(text: string): BetterSqlite.Statement {
    const statement = this.#recent.get(text) ?? this.#prepare(text);
    this.#recent.delete(text);
    this.#recent.set(text, statement);
    if (this.#recent.size > recentTexts) {
      const [oldest = ""] = this.#recent.keys();
      this.#recent.delete(oldest);
    }
    return statement;
  }

  #prepare(text: string): BetterSqlite.Statement {
    try {
      return this.#database.prepare(text);
    } catch (error) {
      throw toUnavailable(error);
    }
  }
}

function run<Row>(statement: BetterSqlite.Statement, params: readonly Value[]): Row[] {
  try {
    const bound = params.map(bind);
    if (statement.reader) return statement.all(bound) as Row[];
    statement.run(bound);
    return [];
  } catch (error) {
    throw toUnavailable(error);
  }
}
