/** The windows in which requests are counted, by holder, in the memory of this process. Times in milliseconds. */

interface Window {
  readonly endsAt: number;
}

interface Windows<Counted extends Window> {
  /** The window of a holder, who has one of so many seconds; undefined where there is none, or it has ended. */
  find(holder: string, seconds: number, now: number): Counted | undefined;
  keep(holder: string, window: Counted, now: number): Counted;
}

/** Windows beyond this many are looked through for ended ones, so that memory stays bounded by who is active. */
const sweepAbove = 10_000;

export function createWindows<Counted extends Window>(): Windows<Counted> {
  const windows = new Map<string, Counted>();
  let sweepAt = sweepAbove;
  return {
    find(holder, seconds, now) {
      const window = windows.get(holder);
      return window !== undefined && isOpen(window, seconds, now) ? window : undefined;
    },
    keep(holder, window, now) {
      windows.set(holder, window);
      if (windows.size > sweepAt) {
        for (const [name, { endsAt }] of windows) if (endsAt <= now) windows.delete(name);
        sweepAt = Math.max(sweepAbove, windows.size * 2);
      }
      return window;
    },
  };
}

/** One that would last longer than a window does began before the clock was set back, and is over. */
function isOpen({ endsAt }: Window, seconds: number, now: number): boolean {
  return endsAt > now && endsAt - now <= seconds * 1000;
}

/** Whole seconds until a window ends, at least 1. */
export function secondsLeft({ endsAt }: Window, now: number): number {
  return Math.max(1, Math.ceil((endsAt - now) / 1000));
}
