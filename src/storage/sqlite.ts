/** Opens an embedded SQLite file: WAL, synchronous FULL, one writing connection and one that only reads. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MikroORM } from "@mikro-orm/sqlite";
import type { EntityManager } from "@mikro-orm/sql";
import BetterSqlite from "better-sqlite3";
import type { Database, Transaction } from "./database.ts";
import { toUnavailable } from "./faults.ts";
import type { OrmOptions } from "./orm-options.ts";
import type { Rows, Value } from "./rows.ts";
import { ImmediateSqliteDialect } from "./sqlite-dialect.ts";
import { registerTextFolding } from "./text-matching.ts";

/** How often a worker looks whether another process committed, in milliseconds: half a percent of a core. */
const commitPollInterval = 20;

type Bound = string | number | bigint | null;

/** better-sqlite3 refuses booleans and dates; the columns hold 0 or 1 and milliseconds. */
function bind(value: Value): Bound {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.getTime();
  return value;
}

/** Rows over one connection; prepared statements are kept by their text. */
class SqliteRows implements Rows {
  readonly dialect = "sqlite";
  readonly #database: BetterSqlite.Database;
  readonly #statements = new Map<string, BetterSqlite.Statement>();

  constructor(database: BetterSqlite.Database) {
    this.#database = database;
  }

  async rows<Row>(text: string, params: readonly Value[] = []): Promise<Row[]> {
    try {
      let statement = this.#statements.get(text);
      if (statement === undefined) {
        statement = this.#database.prepare(text);
        this.#statements.set(text, statement);
      }
      return run<Row>(statement, params);
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  async rowsOnce<Row>(text: string, params: readonly Value[] = []): Promise<Row[]> {
    try {
      return run<Row>(this.#database.prepare(text), params);
    } catch (error) {
      throw toUnavailable(error);
    }
  }
}

function run<Row>(statement: BetterSqlite.Statement, params: readonly Value[]): Row[] {
  const bound = params.map(bind);
  if (statement.reader) return statement.all(bound) as Row[];
  statement.run(bound);
  return [];
}

function openFile(path: string): { writer: BetterSqlite.Database; reader: BetterSqlite.Database } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // The switch to WAL is the one moment that may wait in the driver; afterwards waiting is done without blocking.
  const writer = new BetterSqlite(path, { timeout: 2000 });
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = FULL");
  writer.pragma("foreign_keys = ON");
  writer.pragma("busy_timeout = 0");
  const reader = new BetterSqlite(path, { readonly: true, fileMustExist: true, timeout: 0 });
  reader.pragma("cache_size = -65536");
  reader.pragma("mmap_size = 268435456");
  for (const connection of [writer, reader]) registerTextFolding(connection);
  return { writer, reader };
}

/** Holds a lock file next to the database: a process that dies lets go of it by dying. */
async function exclusively<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lock = new BetterSqlite(path, { timeout: 0 });
  try {
    for (;;) {
      try {
        lock.exec("begin exclusive");
        break;
      } catch (error) {
        if (!(error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY"))) throw error;
        await sleep(20 + Math.random() * 30);
      }
    }
    return await work();
  } finally {
    lock.close();
  }
}

/** Opens (and creates, with its folder) the SQLite database at `path`. Throws what better-sqlite3 throws. */
export async function openSqlite(path: string, options: OrmOptions): Promise<Database> {
  const { writer, reader } = openFile(path);
  const orm = await MikroORM.init({ ...options, dbName: path, driverOptions: new ImmediateSqliteDialect(writer) });
  // MikroORM connects lazily, and a first flush inside a transaction of ours would wait for itself.
  await orm.connect();
  const reads = new SqliteRows(reader);
  const writes = new SqliteRows(writer);

  return {
    orm,
    dialect: "sqlite",
    rows: (text, params) => reads.rows(text, params),
    rowsOnce: (text, params) => reads.rowsOnce(text, params),
    async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
      try {
        return await orm.driver
          .getConnection()
          .getClient()
          .transaction()
          .execute(async (context) => {
            let em: EntityManager | undefined;
            return work({
              dialect: "sqlite",
              // The writing connection is ours alone until the commit, so compiled statements go to it directly.
              rows: (text, params) => writes.rows(text, params),
              rowsOnce: (text, params) => writes.rowsOnce(text, params),
              get em() {
                if (em === undefined) {
                  em = orm.em.fork();
                  em.setTransactionContext(context);
                }
                return em;
              },
            });
          });
      } catch (error) {
        throw toUnavailable(error);
      }
    },
    async watchCommits(listener) {
      const version = reader.prepare("pragma data_version").pluck();
      let seen = version.get();
      const timer = setInterval(() => {
        const now = version.get();
        if (now === seen) return;
        seen = now;
        listener();
      }, commitPollInterval);
      return async () => clearInterval(timer);
    },
    // Whoever watches sees the commit itself.
    announceCommit() {},
    exclusively: (name, work) => exclusively(`${path}.${name}.lock`, work),
    async close() {
      await orm.close(true);
      reader.close();
      if (writer.open) writer.close();
    },
  };
}
