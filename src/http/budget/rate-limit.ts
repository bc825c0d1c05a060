/** A fixed-window rate limiter per holder, in the memory of this process. */
import { TooManyRequests } from "../../vocabulary/errors.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { createWindows, secondsLeft } from "./windows.ts";

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface Budget {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window resets, at least 1. */
  readonly resetSeconds: number;
}

/** Counts a request against a holder's budget; undefined without a limit. */
export type RateLimiter = (holder: string) => Budget | undefined | Promise<Budget | undefined>;

/** A null `limit` allows everything, without budget headers. */
export function createRateLimiter(limit: RateLimit | null, clock: Clock): (holder: string) => Budget | undefined {
  const windows = createWindows<{ readonly endsAt: number; used: number }>();

  return (holder) => {
    if (limit === null) return undefined;
    const now = clock.now().getTime();
    const window =
      windows.find(holder, limit.seconds, now) ??
      windows.keep(holder, { endsAt: now + limit.seconds * 1000, used: 0 }, now);
    window.used += 1;
    return {
      allowed: window.used <= limit.requests,
      limit: limit.requests,
      remaining: Math.max(0, limit.requests - window.used),
      resetSeconds: secondsLeft(window, now),
    };
  };
}

/** Throws TooManyRequests when the budget is exhausted. */
export function requireLeft(budget: Pick<Budget, "allowed" | "resetSeconds"> | undefined): void {
  if (budget?.allowed === false) throw new TooManyRequests(budget.resetSeconds);
}

export function budgetHeaders(budget: Budget | undefined): Record<string, string> {
  if (budget === undefined) return {};
  return {
    "x-ratelimit-limit": String(budget.limit),
    "x-ratelimit-remaining": String(budget.remaining),
    "x-ratelimit-reset": String(budget.resetSeconds),
  };
}
