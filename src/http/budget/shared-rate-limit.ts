/** One budget for the requests that several processes answer: one hands it out in portions, the others spend what they were handed. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Budget, RateLimit, Spend } from "./rate-limit.ts";

/** What a process may let pass of a holder's requests, until the window ends. */
export interface Portion {
  readonly granted: number;
  /** What may be handed out after this, to whichever process. */
  readonly left: number;
  /** In milliseconds. */
  readonly endsAt: number;
}

/** Windows beyond this many are looked through for ended ones, so that memory stays bounded by who is active. */
const sweepAbove = 10_000;

/**
 * For the one that hands out, to so many processes. Portions become smaller towards the end of a budget, so that little of it lies
 * where nobody asks; never more than the limit is handed out in one window.
 */
export function createPortions(processes: number, clock: Clock): (holder: string, limit: RateLimit) => Portion {
  const windows = createWindows<{ endsAt: number; left: number }>(clock);
  return (holder, { requests, seconds }) => {
    const window =
      windows.find(holder) ?? windows.keep(holder, { endsAt: windows.now() + seconds * 1000, left: requests });
    const granted = Math.min(window.left, Math.max(1, Math.floor(window.left / (2 * processes))));
    window.left -= granted;
    return { granted, left: window.left, endsAt: window.endsAt };
  };
}

/** For one that spends: waits for `ask` only when what it was handed is spent. `limit` null lets everything pass. */
export function createPortionedLimiter(
  limit: RateLimit | null,
  clock: Clock,
  ask: (holder: string, limit: RateLimit) => Promise<Portion>,
): Spend {
  if (limit === null) return () => undefined;
  const windows = createWindows<{ endsAt: number; own: number; left: number }>(clock);
  const asked = new Map<string, Promise<void>>();

  async function fetchPortion(holder: string): Promise<void> {
    try {
      const { granted, left, endsAt } = await ask(holder, limit!);
      const own = (windows.find(holder)?.own ?? 0) + granted;
      windows.keep(holder, { endsAt, own, left });
    } finally {
      asked.delete(holder);
    }
  }

  function toBudget(window: { endsAt: number; own: number; left: number }, allowed: boolean): Budget {
    return {
      allowed,
      limit: limit!.requests,
      remaining: window.own + window.left,
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - windows.now()) / 1000)),
    };
  }

  async function spendAsking(holder: string): Promise<Budget> {
    for (;;) {
      const fetching = asked.get(holder) ?? fetchPortion(holder);
      asked.set(holder, fetching);
      await fetching;
      const budget = spendOwn(holder);
      if (budget !== undefined) return budget;
    }
  }

  /** Undefined where it has to be asked for. */
  function spendOwn(holder: string): Budget | undefined {
    const window = windows.find(holder);
    if (window === undefined) return undefined;
    if (window.own === 0) return window.left === 0 ? toBudget(window, false) : undefined;
    window.own -= 1;
    return toBudget(window, true);
  }

  return (holder) => spendOwn(holder) ?? spendAsking(holder);
}

/** By holder, those that have not ended. */
function createWindows<Window extends { readonly endsAt: number }>(clock: Clock) {
  const windows = new Map<string, Window>();
  let sweepAt = sweepAbove;
  const now = (): number => clock.now().getTime();
  return {
    now,
    find(holder: string): Window | undefined {
      const window = windows.get(holder);
      return window !== undefined && window.endsAt > now() ? window : undefined;
    },
    keep(holder: string, window: Window): Window {
      windows.set(holder, window);
      if (windows.size > sweepAt) {
        for (const [name, { endsAt }] of windows) if (endsAt <= now()) windows.delete(name);
        sweepAt = Math.max(sweepAbove, windows.size * 2);
      }
      return window;
    },
  };
}
