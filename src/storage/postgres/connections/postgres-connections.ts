/** Lends the connections of the pool: holders wait for one in lines of their own, and together with its opening no longer than the patience. */
import type pg from "pg";
import { createFairPlaces } from "../../../kit/waiting/fair-places.ts";
import { Unavailable } from "../../../vocabulary/errors.ts";
import type { DatabaseLoad } from "../../database.ts";
import type { PostgresClient } from "../postgres-client.ts";
import type { Distance } from "./postgres-distance.ts";
import { orCut } from "./postgres-patience.ts";
import { connectPatience } from "./postgres-sessions.ts";

export interface PooledConnections {
  /** A broken connection does not return to the pool. Throws Unavailable if none became free in time, and errors of `pg`. */
  holding<Result>(holder: string, work: (client: PostgresClient) => Promise<Result>): Promise<Result>;
  readonly load: Pick<DatabaseLoad, "waiting" | "waits" | "waitedMilliseconds">;
}

const late = () => new Unavailable(new Error("no connection became free in time"));

/**
 * How long a connection may idle, in milliseconds, before it is probed on its next use: a failover or a firewall may have cut it without closing it, and a
 * statement would wait for minutes.
 */
const trustedIdle = 10_000;
/** The timeout of a probe, in milliseconds. */
const probePatience = 500;

/**
 * Most work is done over few connections, and as many stay open: each has its own plans and its own copy of the catalog in the server, which a new one takes
 * tens of milliseconds to fill, and the processors are not faster for having more at work. Of a server far away, work waits for the network instead.
 */
export const fewConnections = 6;
/** Work that has a connection for longer, in milliseconds, waits for locks or reads much, and others go on beside it. */
const briefWork = 20;

interface LendOptions {
  /** The most connections. */
  readonly size: number;
  readonly distance: Pick<Distance, "isNear">;
  /** `trustedIdle`, except in tests. */
  readonly trusted?: number;
}

export function lendConnections(
  pool: pg.Pool,
  { size, distance, trusted = trustedIdle }: LendOptions,
): PooledConnections {
  const idleSince = new WeakMap<pg.PoolClient, number>();

  async function connectAlive(deadline: number): Promise<pg.PoolClient> {
    for (;;) {
      const client = await connectBefore(pool, deadline);
      const since = idleSince.get(client);
      if (since === undefined || performance.now() - since < trusted || (await isAlive(client))) return client;
      client.release(true);
    }
  }

  const places = createFairPlaces(size, {
    brief: {
      most: fewConnections,
      get milliseconds() {
        return distance.isNear ? briefWork : 0;
      },
    },
    patience: connectPatience,
    late,
  });
  const orderIdle = preferOldest(pool);
  const counts = { waits: 0, waitedMilliseconds: 0 };
  return {
    holding(holder, work) {
      const begun = performance.now();
      return places.run(holder, async () => {
        const client = await connectAlive(begun + connectPatience);
        counts.waits += 1;
        counts.waitedMilliseconds += performance.now() - begun;
        const lent = client as unknown as PostgresClient;
        try {
          return await work(lent);
        } finally {
          idleSince.set(client, performance.now());
          client.release(lent.isEnding);
          if (distance.isNear) orderIdle();
        }
      });
    },
    get load() {
      return { ...counts, waiting: places.waiting };
    },
  };
}

interface IdleConnections {
  /** Private to the driver. The last one is lent next. */
  readonly _idle: { readonly client: pg.PoolClient }[];
}

/**
 * The pool lends the connection that was returned last, and so all in turn. The result puts the one that was opened first in its place: it knows most
 * plans.
 */
function preferOldest(pool: pg.Pool): () => void {
  const numbers = new WeakMap<pg.PoolClient, number>();
  let opened = 0;
  pool.on("connect", (client) => void numbers.set(client, (opened += 1)));
  const numberOf = ({ client }: IdleConnections["_idle"][number]): number => numbers.get(client) ?? 0;
  return () => {
    const { _idle } = pool as unknown as IdleConnections;
    _idle.sort((one, other) => numberOf(other) - numberOf(one));
  };
}

function isAlive(client: pg.PoolClient): Promise<boolean> {
  return orCut(client, probePatience, () => client.query("select 1")).then(
    () => true,
    () => false,
  );
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
