/** Lends the connections of the pool: holders wait for one in lines of their own, and together with its opening no longer than the patience. */
import type pg from "pg";
import { createFairPlaces } from "../../../kit/waiting/fair-places.ts";
import { Unavailable } from "../../../vocabulary/errors.ts";
import type { PostgresClient } from "../postgres-client.ts";
import { connectPatience } from "./postgres-sessions.ts";

export interface PooledConnections {
  /** A broken connection does not return to the pool. Throws Unavailable if none became free in time, and errors of `pg`. */
  holding<Result>(holder: string, work: (client: PostgresClient) => Promise<Result>): Promise<Result>;
  /** Work that waits for a connection; work that had one, and the milliseconds that it waited. */
  readonly load: { readonly waiting: number; readonly waits: number; readonly waitedMilliseconds: number };
}

const late = () => new Unavailable(new Error("no connection became free in time"));

/**
 * A connection that has idled for so many milliseconds is asked whether it still leads to the server: a failover or a firewall may have cut it without a
 * word, and a statement would wait for minutes.
 */
const trustedIdle = 10_000;
/** How long it may take to answer. */
const pingPatience = 500;

/** `trusted`: in milliseconds. */
export function lendConnections(pool: pg.Pool, size: number, trusted: number = trustedIdle): PooledConnections {
  const idleSince = new WeakMap<pg.PoolClient, number>();

  async function connectAlive(deadline: number): Promise<pg.PoolClient> {
    for (;;) {
      const client = await connectBefore(pool, deadline);
      const since = idleSince.get(client);
      if (since === undefined || performance.now() - since < trusted || (await isAlive(client))) return client;
      (client as unknown as pg.Client).connection.stream.destroy();
      client.release(true);
    }
  }

  const places = createFairPlaces(size, { patience: connectPatience, late });
  const counts = { waits: 0, waitedMilliseconds: 0 };
  return {
    holding(holder, work) {
      const begun = performance.now();
      return places.run(holder, async () => {
        const client = await connectAlive(begun + connectPatience);
        counts.waits += 1;
        counts.waitedMilliseconds += performance.now() - begun;
        try {
          return await work(client as unknown as PostgresClient);
        } finally {
          idleSince.set(client, performance.now());
          client.release();
        }
      });
    },
    get load() {
      return { ...counts, waiting: places.waiting };
    },
  };
}

async function isAlive(client: pg.PoolClient): Promise<boolean> {
  const { promise: silence, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), pingPatience);
  const answer = client.query("select 1").then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** The pool itself gives up after its patience, counted from now. */
async function connectBefore(pool: pg.Pool, deadline: number): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  if (pool.idleCount > 0) return connecting;
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([connecting, over]);
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => {},
    );
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
