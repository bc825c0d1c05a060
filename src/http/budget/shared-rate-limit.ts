/** One budget for the requests that several processes answer: one hands it out in portions, the others spend what they were handed. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Budget, RateLimit, Spend } from "./rate-limit.ts";
import { createWindows, secondsLeft } from "./windows.ts";

/** What a process may let pass of a holder's requests, until the window ends. */
export interface Portion {
  readonly granted: number;
  /** What may be handed out after this, to whichever process. */
  readonly left: number;
  /** In milliseconds. */
  readonly endsAt: number;
}

/**
 * For the one that hands out, to so many processes. Portions become smaller towards the end of a budget, so that little of it lies
 * where nobody asks; never more than the limit is handed out in one window.
 */
export function createPortions(processes: number, clock: Clock): (holder: string, limit: RateLimit) => Portion {
  const windows = createWindows<{ readonly endsAt: number; left: number }>();
  return (holder, { requests, seconds }) => {
    const now = clock.now().getTime();
    const window =
      windows.find(holder, seconds, now) ?? windows.keep(holder, { endsAt: now + seconds * 1000, left: requests }, now);
    const granted = Math.min(window.left, Math.max(1, Math.floor(window.left / (2 * processes))));
    window.left -= granted;
    return { granted, left: window.left, endsAt: window.endsAt };
  };
}

/** What one that spends was handed, and has left. */
interface Handed {
  readonly endsAt: number;
  own: number;
  readonly left: number;
}

/** For one that spends: waits for `ask` only when what it was handed is spent. `limit` null lets everything pass. */
export function createPortionedLimiter(
  limit: RateLimit | null,
  clock: Clock,
  ask: (holder: string, limit: RateLimit) => Promise<Portion>,
): Spend {
  if (limit === null) return () => undefined;
  const windows = createWindows<Handed>();
  const now = (): number => clock.now().getTime();
  const asked = new Map<string, Promise<void>>();

  async function fetchPortion(holder: string): Promise<void> {
    try {
      const { granted, left, endsAt } = await ask(holder, limit!);
      const own = (windows.find(holder, limit!.seconds, now())?.own ?? 0) + granted;
      windows.keep(holder, { endsAt, own, left }, now());
    } finally {
      asked.delete(holder);
    }
  }

  function toBudget(window: Handed, allowed: boolean): Budget {
    return {
      allowed,
      limit: limit!.requests,
      remaining: window.own + window.left,
      resetSeconds: secondsLeft(window, now()),
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
    const window = windows.find(holder, limit!.seconds, now());
    if (window === undefined) return undefined;
    if (window.own === 0) return window.left === 0 ? toBudget(window, false) : undefined;
    window.own -= 1;
    return toBudget(window, true);
  }

  return (holder) => spendOwn(holder) ?? spendAsking(holder);
}
