/** Opens PostgreSQL: a pool shared by reads and changes, named prepared statements, a knock when others commit. */
import type { Transaction as TransactionContext } from "@mikro-orm/core";
import { MikroORM } from "@mikro-orm/postgresql";
import { CompiledQuery } from "kysely";
import type pg from "pg";
import type { Database, OrmOptions, Transaction } from "../database.ts";
import { orUnavailable } from "../faults.ts";
import { briefLockWait, createLockWaits, waitForTables } from "./postgres-lock-waits.ts";
import { openReserve } from "./postgres-reserve.ts";
import {
  closePatience,
  commitChannel,
  connectPatience,
  createClient,
  holdingLock,
  keepAlivePause,
  listen,
} from "./postgres-sessions.ts";
import { tellSettings } from "./postgres-settings.ts";
import { watchSilence } from "./postgres-silence.ts";
import { bind, CompiledTexts, namingClient, numbered, setTypeParsers } from "./postgres-texts.ts";
import type { Send } from "./postgres-texts.ts";
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
      onConnect: (client: pg.ClientBase) => tellSettings(client, briefLockWait),
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
  const reserve = openReserve(url, pool.options.types);
  const lockWaits = createLockWaits();
  async function close(): Promise<void> {
    silence.stop();
    // What is still open then would keep the process from ending; the pool's end does not wait for its connections.
    setTimeout(silence.cut, closePatience).unref();
    await reserve.close();
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

  /** `prepare` is sent first, in the same transaction. */
  function begin<Result>(
    work: (send: Send, context: TransactionContext) => Promise<Result>,
    prepare?: (send: Send) => Promise<unknown>,
  ): Promise<Result> {
    return connection
      .getClient()
      .transaction()
      .execute(async (context) => {
        const send: Send = async (text, params) => (await context.executeQuery(CompiledQuery.raw(text, params))).rows;
        await prepare?.(send);
        return work(send, context);
      });
  }

  const reads = rowsOver(texts, async (text, params) => {
    const begun = performance.now();
    try {
      return (await pool.query(text, params)).rows;
    } catch (error) {
      return lockWaits.again(error, begun, (patiently) => begin((send) => send(text, params), patiently));
    }
  });

  async function transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    const change = (send: Send, context: TransactionContext) =>
      work(createTransaction(orm, context, rowsOver(texts, send)));
    try {
      return await begin(change);
    } catch (error) {
      return await lockWaits.again(error, begun, (patiently) => begin(change, patiently));
    }
  }

  let announcement: NodeJS.Timeout | undefined;
  return {
    ...reads,
    dialect: "postgres",
    orm,
    reserve: rowsOver(new CompiledTexts(), reserve.query),
    transaction: (work) => orUnavailable(transaction(work)),
    // PostgreSQL alters a table in place.
    changeSchema: (work) =>
      silence.leaving(() =>
        orUnavailable(
          begin((send, context) => work(createTransaction(orm, context, rowsOver(texts, send))), waitForTables),
        ),
      ),
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

function rowsOver(texts: CompiledTexts, send: Send): Rows {
  const query = <Row>(text: string, params: readonly Value[]): Promise<Row[]> =>
    text === "" ? Promise.resolve([]) : orUnavailable(send(text, params.map(bind)) as Promise<Row[]>);
  return {
    rows: (text, params = []) => query(texts.compile(inPostgres(text)), params),
    rowsOnce: (text, params = []) => query(numbered(inPostgres(text)), params),
  };
}

function inPostgres(text: string | SqlText): string {
  return typeof text === "string" ? text : text.postgres;
}
