/**
 * Load shedding: throttles sending while the process or its database is saturated, so that a burst of deliveries does not delay changes
 * of clients, nor what they cause. Once it has begun, it goes on while there are changes: sends come as fast as leaves the process time.
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
  /** How many sends that were queued may start now; Infinity without contention. */
  room(): number;
  /** How many without having been queued: half as many again, which those that are queued cannot use up. */
  roomPastQueue(): number;
  began(count: number, options?: { readonly pastQueue?: boolean }): void;
}

/** Measuring interval in milliseconds; its result applies to the next. */
const slice = 100;
/** Utilization of this process, or else the milliseconds that work waits for the database on average. */
interface Pressure {
  readonly busy: number;
  readonly waited: number;
}
/** From here on there is contention, if there are as many changes a second. */
const contended: Pressure = { busy: 0.9, waited: 10 };
const changesFrom = 50;
/** From here on, less is sent while load is shed, and below it more. */
const tight: Pressure = { busy: 0.6, waited: 2.5 };
/** What an interval without changes leaves of the recent ones. */
const decay = 0.8;
/** Sends a second from the queue under contention, and the factor by which they grow or shrink with each interval without it. */
const least = 300;
const growth = 1.1;
/** Shedding ends after so many intervals in a row that use less than half of the rate and leave time: five seconds. */
const mostSpare = 50;

const isFrom = ({ busy, waited }: Pressure, threshold: Pressure): boolean =>
  busy >= threshold.busy || waited >= threshold.waited;

/** `database`: what work waits for, and has waited. */
export function createLoadShedder(database: MeteredDatabase, { now, busy }: Meters = ownMeters()): LoadShedder {
  let since = now();
  let seen = database.load;
  let changes = 0;
  /** Changes a second: it rises at once and falls slowly. */
  let recentChanges = 0;
  /** Sends from the queue: of this interval, and how many a second may start. */
  let sent = 0;
  let rate = Number.POSITIVE_INFINITY;
  let spare = 0;
  const queued = createTokenBucket(since);
  const past = createTokenBucket(since);

  /** How long work waited for the database on average since the last call, in milliseconds. */
  function waited(): number {
    const before = seen;
    seen = database.load;
    return (seen.waitedMilliseconds - before.waitedMilliseconds) / Math.max(1, seen.waits - before.waits);
  }

  function nextRate(pressure: Pressure): number {
    const isShedding = rate !== Number.POSITIVE_INFINITY;
    const isTight = isFrom(pressure, tight);
    const isUsed = sent >= (rate * slice) / 1000 / 2;
    spare = isShedding && !isTight && !isUsed ? spare + 1 : 0;
    if (recentChanges < (isShedding ? changesFrom / 2 : changesFrom) || spare >= mostSpare)
      return Number.POSITIVE_INFINITY;
    if (isFrom(pressure, contended)) return least;
    if (isTight) return Math.max(least, rate / growth);
    return isUsed ? rate * growth : rate;
  }

  function measure(time: number): void {
    const perSecond = changes / ((time - since) / 1000);
    recentChanges = perSecond + Math.max(0, recentChanges - perSecond) * decay ** ((time - since) / slice);
    const before = rate;
    rate = nextRate({ busy: busy(), waited: waited() });
    if (before === Number.POSITIVE_INFINITY) for (const bucket of [queued, past]) bucket.empty(time);
    [since, changes, sent] = [time, 0, 0];
  }

  function roomIn(bucket: TokenBucket, share: number): number {
    const time = now();
    if (time - since >= slice) measure(time);
    return rate === Number.POSITIVE_INFINITY ? rate : Math.floor(bucket.fill(time, rate * share));
  }

  return {
    changed: () => void (changes += 1),
    room: () => roomIn(queued, 1),
    roomPastQueue: () => roomIn(past, 0.5),
    began(count, { pastQueue = false } = {}) {
      if (!pastQueue) sent += count;
      (pastQueue ? past : queued).take(count);
    },
  };
}

interface TokenBucket {
  /** The tokens at this time; `perSecond` are added in a second. */
  fill(time: number, perSecond: number): number;
  empty(time: number): void;
  take(count: number): void;
}

/** It holds as many tokens as come in a slice. */
function createTokenBucket(begun: number): TokenBucket {
  let tokens = 0;
  let filled = begun;
  return {
    fill(time, perSecond) {
      tokens = Math.min((perSecond * slice) / 1000, tokens + (perSecond * (time - filled)) / 1000);
      filled = time;
      return tokens;
    },
    empty: (time) => void ([tokens, filled] = [0, time]),
    take: (count) => void (tokens -= count),
  };
}
