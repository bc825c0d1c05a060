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
  /** At most `most` places are held for less than `milliseconds`: the others are given only while work takes longer. Default: no such bound. */
  readonly brief?: { readonly most: number; readonly milliseconds: number };
  /** The longest wait, in milliseconds. */
  readonly patience: number;
  readonly late: () => Error;
}

/** Lets one that waits go on, in the place that it was given. */
type Begin = (place: TakenPlace) => void;

interface TakenPlace {
  readonly holder: string;
  readonly since: number;
}

/** `count` pieces of work run at a time. A holder with much work waits for itself; another one for the next place that becomes free. */
export function createFairPlaces(
  count: number,
  { ofHolder = count, brief = { most: count, milliseconds: 0 }, patience, late }: PlaceOptions,
): FairPlaces {
  let free = count;
  /** Places that are taken, by holder. */
  const taken = new Map<string, number>();
  /** Those that were taken lately, the first one first. */
  const recent = new Set<TakenPlace>();
  let ageing: NodeJS.Timeout | undefined;
  let waiting = 0;
  /** The first line whose holder may have a place is served next. */
  const lines = new Map<string, Set<Begin>>();

  function wait(holder: string): Promise<TakenPlace> {
    return new Promise((resolve, reject) => {
      const line = lines.get(holder) ?? new Set();
      lines.set(holder, line);
      const leave = () => {
        clearTimeout(timer);
        line.delete(begin);
        waiting -= 1;
        if (line.size === 0) lines.delete(holder);
      };
      const begin = (place: TakenPlace) => {
        leave();
        resolve(place);
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

  function take(holder: string): TakenPlace {
    const place = { holder, since: performance.now() };
    free -= 1;
    taken.set(holder, (taken.get(holder) ?? 0) + 1);
    recent.add(place);
    return place;
  }

  function giveBack(place: TakenPlace): void {
    const { holder } = place;
    free += 1;
    recent.delete(place);
    const left = taken.get(holder)! - 1;
    if (left > 0) taken.set(holder, left);
    else taken.delete(holder);
  }

  /** How many milliseconds until a place may be given, as far as `brief` decides it. Forgets what is no longer recent. */
  function untilNext(): number {
    const now = performance.now();
    for (const place of recent) {
      const left = place.since + brief.milliseconds - now;
      if (left > 0) return recent.size < brief.most ? 0 : left;
      recent.delete(place);
    }
    return 0;
  }

  function waitForNext(holder: string): Promise<TakenPlace> {
    const place = wait(holder);
    pass();
    return place;
  }

  /** The line that is served next, if there is a place for it. */
  function nextLine(): [string, Set<Begin>] | undefined {
    for (const line of lines) if (isFree(line[0])) return line;
    return undefined;
  }

  /** Gives places to those that wait, before a newcomer comes. */
  function pass(): void {
    for (let next = nextLine(); next !== undefined; next = nextLine()) {
      const left = untilNext();
      if (left > 0) {
        ageing ??= setTimeout(() => {
          ageing = undefined;
          pass();
        }, left);
        return;
      }
      const [holder, line] = next;
      const [begin] = line;
      begin!(take(holder));
      if (line.size === 0) continue;
      // Behind all other lines.
      lines.delete(holder);
      lines.set(holder, line);
    }
  }

  return {
    async run(holder, work) {
      const isNext = isFree(holder) && nextLine() === undefined && untilNext() === 0;
      const place = isNext ? take(holder) : await waitForNext(holder);
      try {
        return await work();
      } finally {
        giveBack(place);
        pass();
      }
    },
    get waiting() {
      return waiting;
    },
  };
}
