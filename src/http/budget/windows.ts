/** Fixed windows per holder, in the memory of this process. Times in milliseconds. */

interface Window {
  readonly endsAt: number;
}

interface Windows<Counted extends Window> {
  /** The current window of a holder; undefined if none exists or it has ended. */
  find(holder: string, seconds: number, now: number): Counted | undefined;
  keep(holder: string, window: Counted, now: number): Counted;
}

/** Above this many windows, ended ones are removed, so that memory is bounded by active holders. */
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

/** A window with more time left than its length began before the clock was set back: it has ended. */
function isOpen({ endsAt }: Window, seconds: number, now: number): boolean {
  return endsAt > now && endsAt - now <= seconds * 1000;
}

/** Whole seconds until the window ends, at least 1. */
export function secondsLeft({ endsAt }: Window, now: number): number {
  return Math.max(1, Math.ceil((endsAt - now) / 1000));
}
