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

export function lendConnections(pool: pg.Pool, size: number): PooledConnections {
  const places = createFairPlaces(size, { patience: connectPatience, late });
  const counts = { waits: 0, waitedMilliseconds: 0 };
  return {
    holding(holder, work) {
      const begun = performance.now();
      return places.run(holder, async () => {
        const client = await connectBefore(pool, begun + connectPatience);
        counts.waits += 1;
        counts.waitedMilliseconds += performance.now() - begun;
        try {
          return await work(client as unknown as PostgresClient);
        } finally {
          client.release();
        }
      });
    },
    get load() {
      return { ...counts, waiting: places.waiting };
    },
  };
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
