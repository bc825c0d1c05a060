/**
 * Lets a burst of what is sent give way to changes in the same process. A process that is busy all the time would otherwise spend most
 * of it on what only waits for somebody, and whoever writes would wait for that.
 */

export interface LoadShedder {
  /** Somebody committed a change. */
  changed(): void;
  /** How many may begin now; Infinity where nobody is in the way. */
  room(): number;
  began(count: number): void;
}

interface Meters {
  /** Milliseconds, of whatever beginning. */
  readonly now: () => number;
  /** The share of the time since it was last asked in which the process was busy, 0 to 1. */
  readonly busy: () => number;
}

/** What was measured in so many milliseconds holds for the next. */
const slice = 100;
/** From this share on, with so many changes a second, others are in the way. */
const busyFrom = 0.9;
const changesFrom = 100;
/** So many begin a second then: a seventh of the time of a process, or less. */
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

function ownMeters(): Meters {
  let last = performance.eventLoopUtilization();
  return {
    now: () => performance.now(),
    busy() {
      const before = last;
      last = performance.eventLoopUtilization();
      return performance.eventLoopUtilization(last, before).utilization;
    },
  };
}
