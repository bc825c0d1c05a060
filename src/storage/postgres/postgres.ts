/** Opens PostgreSQL: a pool shared by reads and changes, named prepared statements, a knock when others commit. */
import { MikroORM } from "@mikro-orm/postgresql";
import type pg from "pg";
import type { Database, OrmOptions, Transaction } from "../database.ts";
import { orUnavailable } from "../faults.ts";
import type { IdsAhead } from "../inserting/ids-ahead.ts";
import { PostgresClient } from "./postgres-client.ts";
import { briefLockWait, createLockWaits, waitForTables } from "./postgres-lock-waits.ts";
import { isOutdated } from "./postgres-errors.ts";
import { Pipeline } from "./postgres-pipeline.ts";
import { openReserve } from "./postgres-reserve.ts";
import { rowsOver, writerOver } from "./postgres-rows.ts";
import type { Ask } from "./postgres-rows.ts";
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
import { CompiledTexts, setTypeParsers } from "./postgres-texts.ts";
import { requireUnicode } from "./postgres-unicode.ts";
import { createTransaction } from "../transaction.ts";
import { watchWrites } from "../installation/write-faults.ts";

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
      Client: PostgresClient,
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

  /**
   * One connection for `work`, which leaves no transaction open. It is run anew where a statement had been prepared for a table that is
   * another one by now. A broken connection does not come back to the pool.
   */
  async function holding<Result>(work: (client: PostgresClient) => Promise<Result>): Promise<Result> {
    const pooled = await pool.connect();
    const client = pooled as unknown as PostgresClient;
    try {
      return await work(client).catch(async (error: unknown) => {
        if (!isOutdated(error)) throw error;
        await client.unprepare();
        return work(client);
      });
    } finally {
      pooled.release();
    }
  }

  /** Resolves after the COMMIT. `prepare` is sent first, in the same transaction. */
  function begin<Result>(
    work: (pipeline: Pipeline) => Promise<Result>,
    prepare?: (pipeline: Pipeline) => void,
  ): Promise<Result> {
    return holding(async (client) => {
      const pipeline = new Pipeline(client);
      try {
        prepare?.(pipeline);
        const result = await work(pipeline);
        await pipeline.commit();
        return result;
      } catch (error) {
        // A connection that cannot even roll back is lost, and its transaction with it: what came before says more.
        await pipeline.rollback().catch(() => {});
        throw error;
      }
    });
  }

  const ask: Ask = async (statement, values) => {
    const begun = performance.now();
    try {
      return await holding(async (client) => (await client.run([{ statement, values }]))[0]!.rows);
    } catch (error) {
      return lockWaits.again(error, begun, (patiently) =>
        begin((pipeline) => pipeline.ask(statement, values), patiently),
      );
    }
  };

  async function transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    ids?: IdsAhead,
  ): Promise<Result> {
    const begun = performance.now();
    const change = (pipeline: Pipeline) => work(open(pipeline, ids));
    try {
      return await begin(change);
    } catch (error) {
      return await lockWaits.again(error, begun, (patiently) => begin(change, patiently));
    }
  }

  function open(pipeline: Pipeline, ids?: IdsAhead): Transaction {
    return createTransaction(orm, () => pipeline.asKysely(), writerOver(texts, pipeline, ids));
  }

  let announcement: NodeJS.Timeout | undefined;
  return {
    ...rowsOver(texts, ask),
    dialect: "postgres",
    orm,
    reserve: rowsOver(new CompiledTexts(), reserve.ask),
    ...watchWrites((work, ids) => orUnavailable(transaction(work, ids))),
    // PostgreSQL alters a table in place.
    changeSchema: (work) =>
      silence.leaving(() => orUnavailable(begin((pipeline) => work(open(pipeline)), waitForTables))),
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
