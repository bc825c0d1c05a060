/** When a request is sent again, and after how long: `Retry-After`, or exponential backoff with jitter. */
import type { CrmError } from "./crm-error.ts";

/** Longer waits that the service asks for are left to the caller: the request fails, with `retryAfter`. */
const longestWaitSeconds = 60;
const firstBackoff = 250;
const longestBackoff = 8000;

/** `isRepeatable`: carrying the request out twice does what carrying it out once does. */
export function mayRetry({ status, code, retryAfter = 0 }: CrmError, isRepeatable: boolean): boolean {
  if (retryAfter > longestWaitSeconds) return false;
  // The rate limit refuses before anything is done.
  if (status === 429) return true;
  // The first attempt, whose answer was lost, is still being carried out.
  if (status === 409) return code === "request_in_progress";
  // Without an answer, or with one of 5xx from a proxy, the request may have been carried out.
  return isRepeatable && [0, 502, 503, 504].includes(status);
}

/** Milliseconds before attempt `attempt` + 1; with jitter, so that clients that failed together do not return together. */
export function waitBeforeRetry({ retryAfter }: CrmError, attempt: number): number {
  if (retryAfter !== undefined) return retryAfter * 1000 * (1 + Math.random() / 4);
  return Math.min(longestBackoff, firstBackoff * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** Resolves after `milliseconds`; rejects with the reason of `signal`. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
