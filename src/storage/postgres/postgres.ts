/** Opens PostgreSQL: a pool for reads and changes, prepared statements, and notifications of commits. */
import { MikroORM } from "@mikro-orm/postgresql";
import type pg from "pg";
import type { Database, OrmOptions, Transaction } from "../database.ts";
import { orUnavailable } from "../faults.ts";
import type { IdsAhead } from "../inserting/ids-ahead.ts";
import { PostgresClient } from "./postgres-client.ts";
import { fewConnections, lendConnections } from "./connections/postgres-connections.ts";
import { createDistance } from "./connections/postgres-distance.ts";
import { briefLockWait, createLockWaits, waitForTables } from "./postgres-lock-waits.ts";
import { isOutdated } from "./postgres-errors.ts";
import { Pipeline } from "./postgres-pipeline.ts";
import { openReserve } from "./connections/postgres-reserve.ts";
import { rowsOver, toBatched, writerOver } from "./postgres-rows.ts";
import type { Ask } from "./postgres-rows.ts";
import type { BatchedStatement } from "./postgres-batch.ts";
import {
  buildIndexConcurrently,
  closePatience,
  commitChannel,
  connectPatience,
  createClient,
  holdingLock,
  keepAlivePause,
  listen,
  toVerified,
} from "./connections/postgres-sessions.ts";
import { applySettings } from "./connections/postgres-settings.ts";
import { watchSilence } from "./connections/postgres-silence.ts";
import { CompiledTexts, once, setTypeParsers } from "./postgres-texts.ts";
import { announceCommits } from "../commits/announcements.ts";
import { requireUnicode } from "./postgres-unicode.ts";
import { createCommitListeners } from "../commits/commit-listeners.ts";
import { createLazyEntities, createTransaction, noEntities } from "../transaction.ts";
import { CommitTables } from "../commits/commit-tables.ts";
import { watchWrites } from "../installation/write-faults.ts";

const poolSize = 16;
/** The most milliseconds of a transaction that count in the load. */
const longestCounted = 20;

/** How long a connection may idle while more than the few are open, in milliseconds: an open one takes some ten MiB of the server. */
const mostIdle = 60_000;

/** Who asks without a holder. */
const service = "";

/** All statements see one moment, and the reader may pause between two of them for as long as its output does. */
function asSnapshot(pipeline: Pipeline): void {
  pipeline.send(once("set transaction isolation level repeatable read, read only"), []);
  pipeline.send(once("select set_config('idle_in_transaction_session_timeout', '0', true)"), []);
}

/**
 * Opens the PostgreSQL database at `address`, a URL. Throws errors of `pg` when it is unreachable, and a DatabaseError when it is
 * not Unicode.
 */
export async function openPostgres(address: string, options: OrmOptions): Promise<Database> {
  const url = toVerified(address);
  const texts = new CompiledTexts();
  const distance = createDistance();
  let created: pg.Pool | undefined;
  const orm = await MikroORM.init({
    ...options,
    ...noEntities,
    clientUrl: url,
    driverOptions: {
      // MikroORM takes host, user and database from the URL and drops the rest, including sslmode.
      connectionString: url,
      Client: PostgresClient,
      min: fewConnections,
      max: poolSize,
      idleTimeoutMillis: mostIdle,
      connectionTimeoutMillis: connectPatience,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAlivePause,
      application_name: "crm",
      async onConnect(client: pg.ClientBase) {
        await applySettings(client, briefLockWait);
        await distance.measure(client);
      },
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
  const connections = lendConnections(pool, { size: poolSize, distance });
  let committed = 0;
  const ended = { transactions: 0, transactionMilliseconds: 0 };
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

  /** Runs `work` on one connection, without a transaction left open. Retried if a prepared statement was invalidated by a schema change. */
  function holding<Result>(holder: string, work: (client: PostgresClient) => Promise<Result>): Promise<Result> {
    return connections.holding(holder, (client) =>
      work(client).catch(async (error: unknown) => {
        if (!isOutdated(error)) throw error;
        await client.unprepare();
        return work(client);
      }),
    );
  }

  /** Resolves after the COMMIT. `prepare` is sent first in the transaction. */
  function begin<Result>(
    holder: string,
    work: (pipeline: Pipeline) => Promise<Result>,
    prepare?: (pipeline: Pipeline) => void,
  ): Promise<Result> {
    return holding(holder, async (client) => {
      const begun = performance.now();
      const pipeline = new Pipeline(client);
      try {
        prepare?.(pipeline);
        const result = await work(pipeline);
        await pipeline.commit();
        committed += 1;
        return result;
      } catch (error) {
        // A connection that cannot roll back is lost with its transaction; the earlier error says more.
        await pipeline.rollback().catch(() => {});
        throw error;
      } finally {
        ended.transactions += 1;
        ended.transactionMilliseconds += Math.min(performance.now() - begun, longestCounted);
      }
    });
  }

  /** The rows of each statement: all go in one round trip. */
  async function ask(holder: string, statements: readonly BatchedStatement[]): Promise<unknown[][]> {
    const begun = performance.now();
    try {
      return await holding(holder, async (client) => (await client.run(statements)).map(({ rows }) => rows));
    } catch (error) {
      return lockWaits.again(error, begun, (patiently) =>
        begin(
          holder,
          (pipeline) => Promise.all(statements.map(({ statement, values }) => pipeline.ask(statement, values))),
          patiently,
        ),
      );
    }
  }

  const askFor =
    (holder: string): Ask =>
    async (statement, values) =>
      (await ask(holder, [{ statement, values }]))[0]!;

  async function transaction<Result>(
    holder: string,
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
      result = await begin(holder, change);
    } catch (error) {
      result = await lockWaits.again(error, begun, (patiently) => begin(holder, change, patiently));
    }
    commits.notify(written.written());
    return result;
  }

  function open(pipeline: Pipeline, written: CommitTables, ids?: IdsAhead): Transaction {
    return createTransaction(withEntities, () => pipeline.asKysely(), writerOver(texts, pipeline, ids), written);
  }

  const beginFor =
    (holder: string): Database["transaction"] =>
    (work, ids) =>
      orUnavailable(transaction(holder, work, ids));
  const { watch, writeFault } = watchWrites(beginFor(service));
  const forHolder: Database["forHolder"] = (holder) => ({
    ...rowsOver(texts, askFor(holder)),
    transaction: watch(beginFor(holder)),
  });
  const commits = createCommitListeners();
  const announcements = announceCommits((payload) => pool.query("select pg_notify($1, $2)", [commitChannel, payload]));
  commits.add(announcements.add);
  return {
    ...forHolder(service),
    forHolder,
    dialect: "postgres",
    isInProcess: false,
    get orm() {
      return withEntities();
    },
    rowsOfBoth: (...selects) =>
      orUnavailable(
        ask(
          service,
          selects.map((select) => toBatched(texts, select)),
        ),
      ) as Promise<never>,
    reserve: rowsOver(new CompiledTexts(), reserve.ask),
    writeFault,
    snapshot: (read) =>
      orUnavailable(
        begin(
          service,
          (pipeline) => read(rowsOver(texts, (statement, values) => pipeline.ask(statement, values))),
          asSnapshot,
        ),
      ),
    get load() {
      return { ...connections.load, ...ended, commits: committed, changes: committed };
    },
    buildIndex: (statement, name) => buildIndexConcurrently(url, statement, name),
    // PostgreSQL alters tables in place.
    changeSchema: (work) =>
      silence.leaving(() =>
        orUnavailable(begin(service, (pipeline) => work(open(pipeline, new CommitTables("postgres"))), waitForTables)),
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
