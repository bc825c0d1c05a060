/** Counts requests per holder in windows of a fixed length, in the memory of this process. */
import type { Clock } from "../../kit/time/clock.ts";

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface Budget {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** Spends one request of a holder's budget; undefined where nothing is limited. */
export type Spend = (holder: string) => Budget | undefined | Promise<Budget | undefined>;

/** Windows beyond this many are looked through for ended ones, so that memory stays bounded by who is active. */
const sweepAbove = 10_000;

/** `limit` null lets everything pass, and says nothing about budgets. */
export function createRateLimiter(limit: RateLimit | null, clock: Clock): (holder: string) => Budget | undefined {
  const windows = new Map<string, { endsAt: number; used: number }>();
  let sweepAt = sweepAbove;

  return (holder) => {
    if (limit === null) return undefined;
    const now = clock.now().getTime();
    let window = windows.get(holder);
    if (window === undefined || window.endsAt <= now) {
      window = { endsAt: now + limit.seconds * 1000, used: 0 };
      windows.set(holder, window);
      if (windows.size > sweepAt) {
        for (const [name, other] of windows) if (other.endsAt <= now) windows.delete(name);
        sweepAt = Math.max(sweepAbove, windows.size * 2);
      }
    }
    window.used += 1;
    return {
      allowed: window.used <= limit.requests,
      limit: limit.requests,
      remaining: Math.max(0, limit.requests - window.used),
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
    };
  };
}

export function budgetHeaders(budget: Budget | undefined): Record<string, string> {
  if (budget === undefined) return {};
  return {
    "x-ratelimit-limit": String(budget.limit),
    "x-ratelimit-remaining": String(budget.remaining),
    "x-ratelimit-reset": String(budget.resetSeconds),
  };
}
