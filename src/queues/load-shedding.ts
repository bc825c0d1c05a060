/**
 * Load shedding: throttles sending while the process or its database is saturated, so that a burst of deliveries does not delay changes
 * of clients.
 */
import { ownMeters } from "../kit/waiting/loop-load.ts";
import type { Meters } from "../kit/waiting/loop-load.ts";
import type { DatabaseLoad } from "../storage/database.ts";

export interface MeteredDatabase {
  readonly load: Pick<DatabaseLoad, "waits" | "waitedMilliseconds">;
}

export interface LoadShedder {
  /** A change was committed. */
  changed(): void;
  /** How many sends may start now; Infinity without contention. */
  room(): number;
  /** How many of them without having been queued: at most half over time, so that what is queued goes on. */
  roomPastQueue(): number;
  began(count: number, options?: { readonly pastQueue?: boolean }): void;
}

/** Measuring interval in milliseconds; its result applies to the next. */
const slice = 100;
/**
 * Thresholds of contention: utilization of this process, or else the milliseconds that work waits for the database on average; and changes per second.
 */
const busyFrom = 0.9;
const waitsFrom = 10;
const changesFrom = 100;
/** Sends per second under contention: at most a seventh of the process's time. */
const besideOthers = 400;
/** Of them, those that pass the queue. */
const pastQueue = besideOthers / 2;

/** `database`: what work waits for, and has waited. */
export function createLoadShedder(database: MeteredDatabase, { now, busy }: Meters = ownMeters()): LoadShedder {
  let since = now();
  let seen = database.load;
  let changes = 0;
  let isBeside = false;
  const all = createTokenBucket(besideOthers, since);
  const past = createTokenBucket(pastQueue, since);

  /** How long work waited for the database on average since the last call, in milliseconds. */
  function waited(): number {
    const before = seen;
    seen = database.load;
    return (seen.waitedMilliseconds - before.waitedMilliseconds) / Math.max(1, seen.waits - before.waits);
  }

  function measure(time: number): void {
    const wasBeside = isBeside;
    const [share, wait] = [busy(), waited()];
    isBeside = (share >= busyFrom || wait >= waitsFrom) && changes / ((time - since) / 1000) >= changesFrom;
    if (isBeside && !wasBeside) for (const bucket of [all, past]) bucket.empty(time);
    [since, changes] = [time, 0];
  }

  function roomIn(bucket: TokenBucket): number {
    const time = now();
    if (time - since >= slice) measure(time);
    return isBeside ? Math.floor(bucket.fill(time)) : Number.POSITIVE_INFINITY;
  }

  return {
    changed: () => void (changes += 1),
    room: () => roomIn(all),
    roomPastQueue: () => Math.min(roomIn(all), roomIn(past)),
    began(count, { pastQueue: isPast = false } = {}) {
      all.take(count);
      if (isPast) past.take(count);
    },
  };
}

interface TokenBucket {
  /** The tokens at this time. */
  fill(time: number): number;
  empty(time: number): void;
  take(count: number): void;
}

/** It holds as many tokens as come in a slice. */
function createTokenBucket(perSecond: number, begun: number): TokenBucket {
  let tokens = 0;
  let filled = begun;
  return {
    fill(time) {
      tokens = Math.min((perSecond * slice) / 1000, tokens + (perSecond * (time - filled)) / 1000);
      filled = time;
      return tokens;
    },
    empty: (time) => void ([tokens, filled] = [0, time]),
    take: (count) => void (tokens -= count),
  };
}
