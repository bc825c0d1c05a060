/** PostgreSQL connections apart from the pool, for what lasts: listening for commits, holding a lock. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { toUnavailable } from "../faults.ts";
import { tellSettings } from "./postgres-settings.ts";

/** How long a connection may take to come about, in milliseconds; with what follows a request stays below five seconds. */
export const connectPatience = 3000;

/** After so many milliseconds of silence the system asks whether the server is still there; by itself it waits two hours. */
export const keepAlivePause = 10_000;

/** How long a connection may take to part from the server, in milliseconds: one that stands still takes leave of nobody. */
export const closePatience = 2000;

export const commitChannel = "crm_commit";

/** The pauses before a lost listening connection is made anew, in milliseconds: doubled from the first to the last. */
const firstPause = 100;
const lastPause = 5000;

/** A connection of its own. */
export function createClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectPatience,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlivePause,
    application_name: "crm",
  });
  // Without a listener an error of an idle connection ends the process; what waits for an answer is told by itself.
  client.on("error", () => {});
  return client;
}

async function end(client: pg.Client): Promise<void> {
  const cutting = setTimeout(() => client.connection.stream.destroy(), closePatience);
  await client.end().catch(() => {});
  clearTimeout(cutting);
}

/** Calls `listener` after each knock, on a connection of its own, which is made anew when it breaks. */
export async function listen(url: string, listener: () => void): Promise<() => Promise<void>> {
  let stopped = false;
  let client: pg.Client | undefined;

  async function connect(): Promise<boolean> {
    const attempt = createClient(url);
    attempt.on("notification", listener);
    client = attempt;
    try {
      await attempt.connect();
      await tellSettings(attempt, 0);
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
    // Something may have been committed while nobody listened.
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

/** Runs `work` while it holds the lock `name` of the database; a process that dies lets go of it by dying. */
export async function holdingLock<Result>(url: string, name: string, work: () => Promise<Result>): Promise<Result> {
  const client = createClient(url);
  try {
    await client.connect();
    await tellSettings(client, 0);
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [`crm ${name}`]);
    return await work();
  } catch (error) {
    throw toUnavailable(error);
  } finally {
    await end(client);
  }
}
