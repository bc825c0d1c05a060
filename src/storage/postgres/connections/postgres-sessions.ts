/** Dedicated PostgreSQL connections for long-lived use: LISTEN, and session locks. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { toUnavailable } from "../../faults.ts";
import { orCut } from "./postgres-patience.ts";
import { applySettings } from "./postgres-settings.ts";

/** The connect timeout, in milliseconds; with the following query a request stays below five seconds. */
export const connectPatience = 3000;

/** TCP keepalive delay in milliseconds; the default of the system is two hours. */
export const keepAlivePause = 10_000;

/** The disconnect timeout, in milliseconds, for a stalled server. */
export const closePatience = 2000;

export const commitChannel = "crm_commit";

/**
 * Backoff before a lost listening connection is reopened, in milliseconds: doubles from the first to the last value.
 */
const firstPause = 100;
const lastPause = 5000;

/** The driver takes this for true. */
const misreadFalse = /(?<=[?&]ssl=)false(?=[&#]|$)/g;
const verifiedModes = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g;

/**
 * The URL in words that the driver takes as they are meant. In some modes it verifies the certificate as in `verify-full`, warns about it with every
 * start, and may stop doing it. A URL that asks for the modes of libpq keeps them.
 */
export function toVerified(address: string): string {
  const url = address.replace(misreadFalse, "0");
  return new URL(url).searchParams.get("uselibpqcompat") === "true" ? url : url.replace(verifiedModes, "$1verify-full");
}

/** A dedicated connection. */
export function createClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectPatience,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlivePause,
    application_name: "crm",
  });
  // Without a listener, an error of an idle connection would end the process; pending queries get the error themselves.
  client.on("error", () => {});
  return client;
}

async function end(client: pg.Client): Promise<void> {
  await orCut(client, closePatience, () => client.end()).catch(() => {});
}

/**
 * Calls `listener` for each notification, with its sender, on a dedicated connection. When that breaks it is reopened, and `listener` called
 * without a sender.
 */
export async function listen(url: string, listener: (sender?: string) => void): Promise<() => Promise<void>> {
  let stopped = false;
  let client: pg.Client | undefined;

  async function connect(): Promise<boolean> {
    const attempt = createClient(url);
    attempt.on("notification", ({ payload }) => listener(payload));
    client = attempt;
    try {
      await attempt.connect();
      await applySettings(attempt, 0);
      await attempt.query(`listen ${commitChannel}`);
    } catch {
      client = undefined;
      await end(attempt);
      return false;
    }
    if (stopped) {
      await end(attempt);
      return true;
    }
    attempt.once("end", () => void reconnect());
    // Commits may have been missed meanwhile.
    listener();
    return true;
  }

  async function reconnect(): Promise<void> {
    for (let pause = firstPause; !stopped && !(await connect()); pause = Math.min(pause * 2, lastPause)) {
      await sleep(pause, undefined, { ref: false });
    }
  }

  if (!(await connect())) void reconnect();
  return async () => {
    stopped = true;
    if (client !== undefined) await end(client);
  };
}

/** Between two attempts to take a session lock, in milliseconds. */
const lockPause = 50;

/**
 * Runs `work` while holding the session lock `name`; the lock ends with the process. It is tried for again and again: a statement that waited for it
 * would be an open transaction, for which the holder would wait when it builds an index concurrently.
 */
export async function holdingLock<Result>(url: string, name: string, work: () => Promise<Result>): Promise<Result> {
  const client = createClient(url);
  try {
    await client.connect();
    await applySettings(client, 0);
    while (!(await tryLock(client, `crm ${name}`))) await sleep(lockPause);
    return await work();
  } catch (error) {
    throw toUnavailable(error);
  } finally {
    await end(client);
  }
}

async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const text = "select pg_try_advisory_lock(hashtextextended($1, 0)) as is_held";
  const { rows } = await client.query<{ is_held: boolean }>(text, [name]);
  return rows[0]!.is_held;
}

/** How long a concurrent build waits for one transaction of others, such as a backup, in milliseconds: others go on meanwhile. */
const buildPatience = 600_000;

/** Runs `create index` concurrently with changes. A failed build leaves an invalid index, which is dropped. */
export async function buildIndexConcurrently(url: string, statement: string, name: string): Promise<void> {
  const client = createClient(url);
  const drop = (): Promise<unknown> => client.query(`drop index concurrently if exists "${name}"`);
  try {
    await client.connect();
    await applySettings(client, buildPatience);
    await drop();
    try {
      await client.query(statement.replace(/^create index /i, "create index concurrently "));
    } catch (error) {
      await drop().catch(() => {});
      throw error;
    }
  } catch (error) {
    throw toUnavailable(error);
  } finally {
    await end(client);
  }
}
