/** A token bucket: what may start, at a rate that may change. */

export interface TokenBucket {
  /** The tokens at this time; `perSecond` are added in a second. */
  fill(time: number, perSecond: number): number;
  set(tokens: number, time: number): void;
  /** Never below none: what began before the bucket was looked at is not made up for. */
  take(count: number): void;
}

/** `capacity`, in milliseconds: the bucket holds the tokens that are added in that time. */
export function createTokenBucket(begun: number, capacity: number): TokenBucket {
  let tokens = 0;
  let filled = begun;
  return {
    fill(time, perSecond) {
      const added = (perSecond * Math.min(capacity, time - filled)) / 1000;
      tokens = Math.min((perSecond * capacity) / 1000, tokens + added);
      filled = time;
      return tokens;
    },
    set: (to, time) => void ([tokens, filled] = [to, time]),
    take: (count) => void (tokens = Math.max(0, tokens - count)),
  };
}
