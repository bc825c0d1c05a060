/**
 * Load shedding: throttles sending while the process or its database is saturated, so that a burst of deliveries delays neither the changes
 * of clients nor the work that these cause. It lasts as long as there are changes; meanwhile the rate rises and falls with the time that the
 * process and the database have left.
 */
import { ownMeters } from "../kit/waiting/loop-load.ts";
import type { Meters } from "../kit/waiting/loop-load.ts";
import { calm, createPressureGauge, isFrom } from "./pressure.ts";
import type { MeteredDatabase, Pressure } from "./pressure.ts";
import { createTokenBucket } from "./token-bucket.ts";
import type { TokenBucket } from "./token-bucket.ts";

export interface LoadShedder {
  /** A change was committed. */
  changed(): void;
  /** How many sends that were queued may start now; Infinity without contention. */
  room(): number;
  /** How many without having been queued: as many again, which those that are queued cannot use up. */
  roomPastQueue(): number;
  began(count: number, options?: { readonly pastQueue?: boolean }): void;
}

/** Measuring interval in milliseconds; its result applies to the next. */
const slice = 100;
/** From here on there is contention, if there are as many changes a second. */
const contended: Pressure = { busy: 0.9, waited: 10, slowdown: 3 };
const changesFrom = 50;
const enoughOfSlice = (changesFrom * slice) / 1000;
/** From here on, less is sent while load is shed, and below it more. */
const tight: Pressure = { busy: 0.6, waited: 2.5, slowdown: 2 };
/** What an interval without changes leaves of the recent ones. */
const decay = 0.8;
/** Sends a second from the queue when shedding begins, and at least; by what they grow or shrink with each interval, and shrink under contention. */
const least = 300;
const growth = 1.1;
const contendedGrowth = 2;
/** Shedding ends after so many intervals in a row that use less than half of the rate and leave time: five seconds. */
const mostSpare = 50;
/** The burst of sends past the queue, in milliseconds of their rate: what follows one that is queued has to be queued, too. */
const burstOfPast = 300;

export function createLoadShedder(database: MeteredDatabase, { now, busy }: Meters = ownMeters()): LoadShedder {
  const gauge = createPressureGauge(database, busy);
  let since = now();
  let pressure = calm;
  let changes = 0;
  /** Changes a second: it rises at once and falls slowly. */
  let recentChanges = 0;
  /** Sends from the queue: of this interval, and how many a second may start. */
  let sent = 0;
  let rate = Number.POSITIVE_INFINITY;
  let spare = 0;
  const isShedding = (): boolean => rate !== Number.POSITIVE_INFINITY;
  const queued = createTokenBucket(since, slice);
  const past = createTokenBucket(since, burstOfPast);

  function nextRate(): number {
    const isTight = isFrom(pressure, tight);
    const isUsed = sent >= (rate * slice) / 1000 / 2;
    spare = isShedding() && !isTight && !isUsed ? spare + 1 : 0;
    if (recentChanges < (isShedding() ? changesFrom / 2 : changesFrom) || spare >= mostSpare)
      return Number.POSITIVE_INFINITY;
    const isContended = isFrom(pressure, contended);
    if (!isShedding()) return isContended ? least : rate;
    if (isTight) return Math.max(least, rate / (isContended ? contendedGrowth : growth));
    return isUsed ? rate * growth : rate;
  }

  function setRate(next: number, time: number): void {
    if (!isShedding() && next !== Number.POSITIVE_INFINITY) {
      queued.set(0, time);
      // What caused the contention is in the queue.
      past.set((next * burstOfPast) / 1000, time);
    }
    rate = next;
  }

  function measure(time: number): void {
    const perSecond = changes / ((time - since) / 1000);
    recentChanges = perSecond + Math.max(0, recentChanges - perSecond) * decay ** ((time - since) / slice);
    pressure = gauge({ isBesideChanges: perSecond >= changesFrom, isShedding: isShedding() });
    setRate(nextRate(), time);
    [since, changes, sent] = [time, 0, 0];
  }

  function roomIn(bucket: TokenBucket): number {
    const time = now();
    if (time - since >= slice) measure(time);
    // Under contention it begins as soon as there are enough changes.
    else if (!isShedding() && changes >= enoughOfSlice && isFrom(pressure, contended)) {
      recentChanges = changesFrom;
      setRate(least, time);
    }
    return isShedding() ? Math.floor(bucket.fill(time, rate)) : rate;
  }

  return {
    changed: () => void (changes += 1),
    room: () => roomIn(queued),
    roomPastQueue: () => roomIn(past),
    began(count, { pastQueue = false } = {}) {
      if (!pastQueue) sent += count;
      (pastQueue ? past : queued).take(count);
    },
  };
}
