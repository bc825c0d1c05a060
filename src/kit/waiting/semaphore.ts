/** A semaphore: at most `width` pieces of work run at once, the others wait in FIFO order. */
import { TooManyRequests } from "../../vocabulary/errors.ts";

export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Retry-After in seconds for refused work. */
const comeAgain = 1;

/** Refuses with TooManyRequests when `mostWaiting` are queued already. */
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
      // Hands the slot to the longest waiter, so that no newcomer overtakes it.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
