/** How contended this process and its database are, from one measurement to the next. */
import type { DatabaseLoad } from "../storage/database.ts";

export interface MeteredDatabase {
  readonly load: Pick<DatabaseLoad, "waits" | "waitedMilliseconds" | "transactions" | "transactionMilliseconds">;
}

export interface Pressure {
  /** Utilization of this process, 0 to 1. */
  readonly busy: number;
  /** How long work waited for the database on average, in milliseconds. */
  readonly waited: number;
  /** How many times longer than at best transactions took (on PostgreSQL, whose processors this process does not see): 1 and more. */
  readonly slowdown: number;
}

export const calm: Pressure = { busy: 0, waited: 0, slowdown: 1 };

/** Whether one of them reaches its threshold. */
export const isFrom = ({ busy, waited, slowdown }: Pressure, threshold: Pressure): boolean =>
  busy >= threshold.busy || waited >= threshold.waited || slowdown >= threshold.slowdown;

/** What each measurement adds to the best time, so that it is found anew where the database becomes slower: twice within 12 minutes. */
const forgets = 1.0001;

interface Measured {
  readonly isBesideChanges: boolean;
  /** Whether load is shed: a slowdown that lasts ends it then, though there are too few changes for measuring. */
  readonly isShedding: boolean;
}

/** Returns a function that measures since its last call. `busy` as `Meters`; the best time is taken of what is measured beside changes, since other transactions take other times. */
export function createPressureGauge(database: MeteredDatabase, busy: () => number): (measured: Measured) => Pressure {
  let seen = database.load;
  let best = Number.POSITIVE_INFINITY;
  return ({ isBesideChanges, isShedding }) => {
    const before = seen;
    seen = database.load;
    const works = Math.max(1, seen.waits - before.waits);
    // What has begun may end in the next measurement, and is counted there.
    const took =
      (seen.transactionMilliseconds - before.transactionMilliseconds) /
      Math.max(1, seen.transactions - before.transactions);
    if (isBesideChanges && took > 0) best = Math.min(took, best * forgets);
    else if (isShedding) best *= forgets;
    return {
      busy: busy(),
      waited: (seen.waitedMilliseconds - before.waitedMilliseconds) / works,
      slowdown: Math.max(1, took / best),
    };
  };
}
