/** A semaphore: so many pieces of work run side by side, and the others wait in the order in which they came. */

export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** `width`: how many run at once. */
export function createGate(width: number): Gate {
  let free = width;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
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
