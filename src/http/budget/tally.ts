/** Exact counters of attempts in windows of a fixed length: unlike portions (shared-rate-limit.ts), an attempt can be taken back. For what is rare, since several processes ask one for each step. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Budget, RateLimit } from "./rate-limit.ts";
import { createWindows, secondsLeft } from "./windows.ts";

/** `count` one attempt of a holder, take one `back`, or `clear` them all. */
export type TallyStep = "count" | "back" | "clear";

/** Takes a step, and tells what is left of the holder's budget. */
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
