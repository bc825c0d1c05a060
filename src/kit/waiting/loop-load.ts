/** How busy the event loop of this process is: the share of the last tenth of a second in which it ran code. */

export interface Meters {
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Event loop utilization since the last call, 0 to 1. */
  readonly busy: () => number;
}

/** Measuring interval in milliseconds; its result applies until the next one is over. */
const slice = 100;

/** Returns a function that answers 0 (idle) to 1 (saturated); cheap enough for every turn of a loop. */
export function createLoopLoad({ now, busy }: Meters = ownMeters()): () => number {
  let since = now();
  let share = 0;
  return () => {
    const time = now();
    if (time - since >= slice) [since, share] = [time, busy()];
    return share;
  };
}

/** The meters of this process. */
export function ownMeters(): Meters {
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
