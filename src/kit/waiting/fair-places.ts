/** Places that many holders share: each holder waits in a line of its own, and the lines are served in turn. */

export interface FairPlaces {
  /** Runs `work` in a place. Throws what `late` gives, if none became free in time. */
  run<Result>(holder: string, work: () => Promise<Result>): Promise<Result>;
  /** How many wait for a place. */
  readonly waiting: number;
}

interface PlaceOptions {
  /** The longest wait, in milliseconds. */
  readonly patience: number;
  readonly late: () => Error;
}

/** Lets one that waits go on. */
type Begin = () => void;

/** `count` pieces of work run at a time. A holder with much work waits for itself; another one for the next place that becomes free. */
export function createFairPlaces(count: number, { patience, late }: PlaceOptions): FairPlaces {
  let free = count;
  let waiting = 0;
  /** The first line is served next. */
  const lines = new Map<string, Set<Begin>>();

  function wait(holder: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(holder) ?? new Set();
      lines.set(holder, line);
      const leave = () => {
        clearTimeout(timer);
        line.delete(begin);
        waiting -= 1;
        if (line.size === 0) lines.delete(holder);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const timer = setTimeout(() => {
        leave();
        reject(late());
      }, patience);
      line.add(begin);
      waiting += 1;
    });
  }

  /** Gives the place to the next one, so that no newcomer overtakes it. */
  function pass(): void {
    const [first] = lines;
    if (first === undefined) {
      free += 1;
      return;
    }
    const [holder, line] = first;
    const [begin] = line;
    begin!();
    if (line.size === 0) return;
    // Behind all other lines.
    lines.delete(holder);
    lines.set(holder, line);
  }

  return {
    async run(holder, work) {
      if (free > 0) free -= 1;
      else await wait(holder);
      try {
        return await work();
      } finally {
        pass();
      }
    },
    get waiting() {
      return waiting;
    },
  };
}
