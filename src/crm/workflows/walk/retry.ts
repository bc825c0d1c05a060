/** A node that did not succeed is tried again after one minute and after five, and then given up. */

/** Milliseconds between the attempts; there is one attempt more. */
const delays = [60_000, 300_000];

const mostAttempts = delays.length + 1;

/** Whether an attempt of this number may be made: a worker that ends while it posts has used one up. */
export function isAttemptAllowed(attempt: number): boolean {
  return attempt <= mostAttempts;
}

/** How long to wait after the attempt of this number, the first being 1; undefined where it was the last. */
export function delayAfter(attempt: number): number | undefined {
  return delays[attempt - 1];
}
