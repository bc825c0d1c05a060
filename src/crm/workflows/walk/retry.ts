/** The retry policy of nodes: a failed one is retried after one minute and after five, then it has failed. */

/** In milliseconds; there is one more attempt than delays. */
const delays = [60_000, 300_000];

const mostAttempts = delays.length + 1;

/** Whether an attempt with this number may be made. An attempt that a worker did not survive counts. */
export function isAttemptAllowed(attempt: number): boolean {
  return attempt <= mostAttempts;
}

/** The delay after the attempt with this number, the first being 1; undefined after the last. */
export function delayAfter(attempt: number): number | undefined {
  return delays[attempt - 1];
}
