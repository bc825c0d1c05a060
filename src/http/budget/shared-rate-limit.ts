/**
 * A rate limit shared by several processes: the supervisor hands out the budget in portions, which the workers spend
 * locally.
 */
import type { Clock } from "../../kit/time/clock.ts";
import type { Budget, RateLimit, RateLimiter } from "./rate-limit.ts";
import { createWindows, secondsLeft } from "./windows.ts";

/** A worker's portion of a holder's budget in this window. */
export interface Portion {
  readonly granted: number;
  /** What remains to be handed out, to any worker. */
  readonly left: number;
  /** In milliseconds. */
  readonly endsAt: number;
}

/**
 * The supervisor's side. Portions shrink towards the end of a budget, so that little of it lies unused; at most the
 * limit is handed out per window.
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

/** A worker's portion and what is left of it. */
interface Handed {
  readonly endsAt: number;
  own: number;
  readonly left: number;
}

/** The worker's side: calls `ask` only when its portion is spent. A null `limit` allows everything. */
export function createPortionedLimiter(
  limit: RateLimit | null,
  clock: Clock,
  ask: (holder: string, limit: RateLimit) => Promise<Portion>,
): RateLimiter {
  if (limit === null) return () => undefined;
  const windows = createWindows<Handed>();
  const now = (): number => clock.now().getTime();
  const requested = new Map<string, Promise<void>>();

  async function fetchPortion(holder: string): Promise<void> {
    try {
      const { granted, left, endsAt } = await ask(holder, limit!);
      const own = (windows.find(holder, limit!.seconds, now())?.own ?? 0) + granted;
      windows.keep(holder, { endsAt, own, left }, now());
    } finally {
      requested.delete(holder);
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

  async function consumeAsking(holder: string): Promise<Budget> {
    for (;;) {
      const fetching = requested.get(holder) ?? fetchPortion(holder);
      requested.set(holder, fetching);
      await fetching;
      const budget = consumeOwn(holder);
      if (budget !== undefined) return budget;
    }
  }

  /** Undefined if a new portion is needed. */
  function consumeOwn(holder: string): Budget | undefined {
    const window = windows.find(holder, limit!.seconds, now());
    if (window === undefined) return undefined;
    if (window.own === 0) return window.left === 0 ? toBudget(window, false) : undefined;
    window.own -= 1;
    return toBudget(window, true);
  }

  return (holder) => consumeOwn(holder) ?? consumeAsking(holder);
}
