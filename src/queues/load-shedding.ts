/**
 * Load shedding: throttles sending while the process is saturated, so that a burst of deliveries does not delay changes
 * of clients.
 */
import { ownMeters } from "../kit/waiting/loop-load.ts";
import type { Meters } from "../kit/waiting/loop-load.ts";

export interface LoadShedder {
  /** A change was committed. */
  changed(): void;
  /** How many sends may start now; Infinity without contention. */
  room(): number;
  began(count: number): void;
}

/** Measuring interval in milliseconds; its result applies to the next. */
const slice = 100;
/** Thresholds of contention: utilization, and changes per second. */
const busyFrom = 0.9;
const changesFrom = 100;
/** Sends per second under contention: at most a seventh of the process's time. */
const besideOthers = 400;

export function createLoadShedder({ now, busy }: Meters = ownMeters()): LoadShedder {
  let since = now();
  let changes = 0;
  let isBeside = false;
  let room = 0;
  let filled = since;

  function measure(time: number): void {
    const wasBeside = isBeside;
    isBeside = busy() >= busyFrom && changes / ((time - since) / 1000) >= changesFrom;
    if (isBeside && !wasBeside) [room, filled] = [0, time];
    [since, changes] = [time, 0];
  }

  return {
    changed: () => void (changes += 1),
    room() {
      const time = now();
      if (time - since >= slice) measure(time);
      if (!isBeside) return Number.POSITIVE_INFINITY;
      room = Math.min((besideOthers * slice) / 1000, room + (besideOthers * (time - filled)) / 1000);
      filled = time;
      return Math.floor(room);
    },
    began: (count) => void (room -= count),
  };
}
