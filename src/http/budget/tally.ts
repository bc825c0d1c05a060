/**
 * Exact counters of attempts in fixed windows: unlike portions (shared-rate-limit.ts), an attempt can be taken back.
 * For rare events only, since each step is a message to the supervisor.
 */
import type { Clock } from "../../kit/time/clock.ts";
import type { Budget, RateLimit } from "./rate-limit.ts";
import { createWindows, secondsLeft } from "./windows.ts";

/** `count` an attempt, take one `back`, or `clear` all of a holder. */
export type TallyStep = "count" | "back" | "clear";

/** Applies a step and returns the remaining budget. */
export type Tally = (step: TallyStep, holder: string, limit: RateLimit) => Budget | Promise<Budget>;

/** In the memory of this process. */
export function createTally(clock: Clock): (...step: Parameters<Tally>) => Budget {
  const windows = createWindows<{ readonly endsAt: number; used: number }>();
  const steps: Readonly<Record<TallyStep, (used: number) => number>> = {
    count: (used) => used + 1,
    back: (used) => Math.max(0, used - 1),
    clear: () => 0,
  };

  return (step, holder, limit) => {
    const now = clock.now().getTime();
    const window = windows.find(holder, limit.seconds, now) ?? { endsAt: now + limit.seconds * 1000, used: 0 };
    window.used = steps[step](window.used);
    if (step === "count") windows.keep(holder, window, now);
    return {
      allowed: window.used <= limit.requests,
      limit: limit.requests,
      remaining: Math.max(0, limit.requests - window.used),
      resetSeconds: secondsLeft(window, now),
    };
  };
}
