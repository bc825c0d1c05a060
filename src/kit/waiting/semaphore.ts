/** A semaphore: so many pieces of work run side by side, and the others wait in the order in which they came. */
import { TooManyRequests } from "../../vocabulary/errors.ts";

export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** How soon whoever may not wait is told to come again, in seconds. */
const comeAgain = 1;

/** `width`: how many run at once. Refuses, as too many requests, what comes while `mostWaiting` wait. */
export function createSemaphore(width: number, mostWaiting: number = Number.POSITIVE_INFINITY): Semaphore {
  let free = width;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else if (waiting.length >= mostWaiting) throw new TooManyRequests(comeAgain);
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever waits longest takes the place over; nobody slips in between.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
