/** Places that many holders share: each holder waits in a line of its own, and the lines are served in turn. */

export interface FairPlaces {
  /** Runs `work` in a place. Throws what `late` gives, if none became free in time. */
  run<Result>(holder: string, work: () => Promise<Result>): Promise<Result>;
  /** How many wait for a place. */
  readonly waiting: number;
}

interface PlaceOptions {
  /** The most places of one holder at a time; default: all. */
  readonly ofHolder?: number;
  /** The longest wait, in milliseconds. */
  readonly patience: number;
  readonly late: () => Error;
}

/** Lets one that waits go on. */
type Begin = () => void;

/** `count` pieces of work run at a time. A holder with much work waits for itself; another one for the next place that becomes free. */
export function createFairPlaces(count: number, { ofHolder = count, patience, late }: PlaceOptions): FairPlaces {
  let free = count;
  /** Places that are taken, by holder. */
  const taken = new Map<string, number>();
  let waiting = 0;
  /** The first line whose holder may have a place is served next. */
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

  const isFree = (holder: string): boolean => free > 0 && (taken.get(holder) ?? 0) < ofHolder;

  function take(holder: string): void {
    free -= 1;
    taken.set(holder, (taken.get(holder) ?? 0) + 1);
  }

  function giveBack(holder: string): void {
    free += 1;
    const left = taken.get(holder)! - 1;
    if (left > 0) taken.set(holder, left);
    else taken.delete(holder);
  }

  /** Gives the place that became free to the next one, before a newcomer comes. */
  function pass(): void {
    for (const [holder, line] of lines) {
      if (!isFree(holder)) continue;
      const [begin] = line;
      take(holder);
      begin!();
      if (line.size === 0) return;
      // Behind all other lines.
      lines.delete(holder);
      lines.set(holder, line);
      return;
    }
  }

  return {
    async run(holder, work) {
      if (isFree(holder)) take(holder);
      else await wait(holder);
      try {
        return await work();
      } finally {
        giveBack(holder);
        pass();
      }
    },
    get waiting() {
      return waiting;
    },
  };
}
