/** Opens PostgreSQL: a pool shared by reads and changes, named prepared statements, a knock when others commit. */
import { MikroORM } from "@mikro-orm/postgresql";
import { CompiledQuery } from "kysely";
import type pg from "pg";
import type { Database, OrmOptions, Transaction } from "../database.ts";
import { toUnavailable } from "../faults.ts";
import {
  closePatience,
  commitChannel,
  connectPatience,
  createClient,
  holdingLock,
  keepAlivePause,
  listen,
} from "./postgres-sessions.ts";
import { watchSilence } from "./postgres-silence.ts";
import { bind, CompiledTexts, namingClient, numbered, setTypeParsers } from "./postgres-texts.ts";
import { requireUnicode } from "./postgres-unicode.ts";
import type { Rows, Value } from "../rows.ts";
import type { SqlText } from "../sql-text.ts";
import { createTransaction } from "../transaction.ts";

const poolSize = 16;
/** Knocks within this many milliseconds of each other are sent as one. */
const announcementPause = 10;

/** Opens the PostgreSQL database at `url`. Throws what `pg` throws when it cannot be reached, and a DatabaseError when it is not Unicode. */
export async function openPostgres(url: string, options: OrmOptions): Promise<Database> {
  const texts = new CompiledTexts();
  let created: pg.Pool | undefined;
  const orm = await MikroORM.init({
    ...options,
    clientUrl: url,
    driverOptions: {
      // MikroORM reads host, user and database out of the address and drops the rest, sslmode among it.
      connectionString: url,
      Client: namingClient(texts),
      max: poolSize,
      connectionTimeoutMillis: connectPatience,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAlivePause,
      application_name: "crm",
      onPoolCreated(pool: pg.Pool) {
        created = pool;
        setTypeParsers(pool);
      },
    },
  });
  const connection = orm.driver.getConnection();
  await connection.connect({ skipOnConnect: true });
  if (created === undefined) throw new Error("MikroORM made no pool");
  const pool: pg.Pool = created;
  const silence = watchSilence(pool, () => createClient(url));
  async function close(): Promise<void> {
    silence.stop();
    // What is still open then would keep the process from ending; the pool's end does not wait for its connections.
    setTimeout(silence.cut, closePatience).unref();
    await orm.close(true);
    // Kysely ends the pool only if a query went through Kysely; reads do not.
    if (!pool.ending) await pool.end();
  }
  try {
    await requireUnicode(pool);
  } catch (error) {
    await close();
    throw error;
  }

  const reads = rowsOver(texts, async (text, params) => (await pool.query(text, params)).rows);

  async function transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    try {
      return await connection
        .getClient()
        .transaction()
        .execute((context) => {
          const rows = rowsOver(
            texts,
            async (text, params) => (await context.executeQuery(CompiledQuery.raw(text, params))).rows,
          );
          return work(createTransaction(orm, context, rows));
        });
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  let announcement: NodeJS.Timeout | undefined;
  return {
    ...reads,
    orm,
    transaction,
    // PostgreSQL alters a table in place.
    changeSchema: (work) => silence.leaving(() => transaction(work)),
    watchCommits: (listener) => listen(url, listener),
    announceCommit() {
      announcement ??= setTimeout(() => {
        announcement = undefined;
        // A knock that is lost costs nothing but time: every worker also looks by itself.
        pool.query(`notify ${commitChannel}`).catch(() => {});
      }, announcementPause);
    },
    exclusively: (name, work) => holdingLock(url, name, work),
    async close() {
      clearTimeout(announcement);
      await close();
    },
  };
}

/** Rows through `send`, which takes a numbered text and bound values. */
function rowsOver(texts: CompiledTexts, send: (text: string, params: unknown[]) => Promise<unknown[]>): Rows {
  const query = async <Row>(text: string, params: readonly Value[]): Promise<Row[]> => {
    try {
      return (await send(text, params.map(bind))) as Row[];
    } catch (error) {
      throw toUnavailable(error);
    }
  };
  return {
    dialect: "postgres",
    rows: (text, params = []) => query(texts.compile(inPostgres(text)), params),
    rowsOnce: (text, params = []) => query(numbered(inPostgres(text)), params),
  };
}

function inPostgres(text: string | SqlText): string {
  return typeof text === "string" ? text : text.postgres;
}
