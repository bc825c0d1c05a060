/** Exponential backoff, in milliseconds: doubled from a second to an hour. */
export function retryDelay(attempts: number): number {
  return Math.min(1000 * 2 ** Math.min(attempts, 20), 3_600_000);
}
