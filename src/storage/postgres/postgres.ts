/** Opens PostgreSQL: a pool for reads and changes, prepared statements, and notifications of commits. */
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
  buildIndexConcurrently,
  closePatience,
  commitChannel,
  connectPatience,
  createClient,
  holdingLock,
  keepAlivePause,
  listen,
} from "./postgres-sessions.ts";
import { applySettings } from "./postgres-settings.ts";
import { watchSilence } from "./postgres-silence.ts";
import { CompiledTexts, once, setTypeParsers } from "./postgres-texts.ts";
import { announceCommits } from "../commits/announcements.ts";
import { requireUnicode } from "./postgres-unicode.ts";
import { createCommitListeners } from "../commits/commit-listeners.ts";
import { createLazyEntities, createTransaction, noEntities } from "../transaction.ts";
import { CommitTables } from "../commits/commit-tables.ts";
import { watchWrites } from "../installation/write-faults.ts";

const poolSize = 16;

/** All statements see one moment, and the reader may pause between two of them for as long as its output does. */
function asSnapshot(pipeline: Pipeline): void {
  pipeline.send(once("set transaction isolation level repeatable read, read only"), []);
  pipeline.send(once("select set_config('idle_in_transaction_session_timeout', '0', true)"), []);
}

/**
 * Opens the PostgreSQL database at `url`. Throws errors of `pg` when it is unreachable, and a DatabaseError when it is
 * not Unicode.
 */
export async function openPostgres(url: string, options: OrmOptions): Promise<Database> {
  const texts = new CompiledTexts();
  let created: pg.Pool | undefined;
  const orm = await MikroORM.init({
    ...options,
    ...noEntities,
    clientUrl: url,
    driverOptions: {
      // MikroORM takes host, user and database from the URL and drops the rest, including sslmode.
      connectionString: url,
      Client: PostgresClient,
      max: poolSize,
      connectionTimeoutMillis: connectPatience,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAlivePause,
      application_name: "crm",
      onConnect: (client: pg.ClientBase) => applySettings(client, briefLockWait),
      onPoolCreated(pool: pg.Pool) {
        created = pool;
        setTypeParsers(pool);
      },
    },
  });
  const withEntities = createLazyEntities(orm, options.entities);
  const connection = orm.driver.getConnection();
  await connection.connect({ skipOnConnect: true });
  if (created === undefined) throw new Error("MikroORM created no connection pool");
  const pool: pg.Pool = created;
  const silence = watchSilence(pool, () => createClient(url));
  const reserve = openReserve(url, pool.options.types);
  const lockWaits = createLockWaits();
  const counts = { waits: 0, waitedMilliseconds: 0, commits: 0 };
  async function close(): Promise<void> {
    silence.stop();
    // Open connections would keep the process alive; ending the pool does not wait for them.
    setTimeout(silence.cut, closePatience).unref();
    await reserve.close();
    await orm.close(true);
    // Kysely ends the pool only after a query of its own; reads bypass Kysely.
    if (!pool.ending) await pool.end();
  }
  try {
    await requireUnicode(pool);
  } catch (error) {
    await close();
    throw error;
  }

  /**
   * Runs `work` on one connection, without a transaction left open. Retried if a prepared statement was invalidated by
   * a schema change. A broken connection does not return to the pool.
   */
  async function holding<Result>(work: (client: PostgresClient) => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    const pooled = await pool.connect();
    counts.waits += 1;
    counts.waitedMilliseconds += performance.now() - begun;
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

  /** Resolves after the COMMIT. `prepare` is sent first in the transaction. */
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
        counts.commits += 1;
        return result;
      } catch (error) {
        // A connection that cannot roll back is lost with its transaction; the earlier error says more.
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
    let written = new CommitTables("postgres");
    const change = (pipeline: Pipeline) => {
      written = new CommitTables("postgres");
      return work(open(pipeline, written, ids));
    };
    let result: Result;
    try {
      result = await begin(change);
    } catch (error) {
      result = await lockWaits.again(error, begun, (patiently) => begin(change, patiently));
    }
    commits.notify(written.written());
    return result;
  }

  function open(pipeline: Pipeline, written: CommitTables, ids?: IdsAhead): Transaction {
    return createTransaction(withEntities, () => pipeline.asKysely(), writerOver(texts, pipeline, ids), written);
  }

  const commits = createCommitListeners();
  const announcements = announceCommits((payload) => pool.query("select pg_notify($1, $2)", [commitChannel, payload]));
  commits.add(announcements.add);
  return {
    ...rowsOver(texts, ask),
    dialect: "postgres",
    isInProcess: false,
    get orm() {
      return withEntities();
    },
    reserve: rowsOver(new CompiledTexts(), reserve.ask),
    ...watchWrites((work, ids) => orUnavailable(transaction(work, ids))),
    snapshot: (read) =>
      orUnavailable(
        begin((pipeline) => read(rowsOver(texts, (statement, values) => pipeline.ask(statement, values))), asSnapshot),
      ),
    get load() {
      return { ...counts, waiting: pool.waitingCount, changes: counts.commits };
    },
    buildIndex: (statement, name) => buildIndexConcurrently(url, statement, name),
    // PostgreSQL alters tables in place.
    changeSchema: (work) =>
      silence.leaving(() =>
        orUnavailable(begin((pipeline) => work(open(pipeline, new CommitTables("postgres"))), waitForTables)),
      ),
    async watchCommits(listener) {
      const remove = commits.add(listener);
      const stop = await listen(url, (payload) => announcements.read(payload, listener));
      return async () => {
        remove();
        await stop();
      };
    },
    // Removed row versions go with the next vacuum, which the server runs by itself, and the WAL is recycled.
    purge: async () => true,
    exclusively: (name, work) => holdingLock(url, name, work),
    async close() {
      await announcements.close();
      await close();
    },
  };
}
