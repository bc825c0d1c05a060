/** Where time comes from: every room is handed a Clock, so that a test can move it. */
export interface Clock {
  now(): Date;
}

/** `now`, or what was written before where the clock was set back since: what moves forward alone, as updated_at does. */
export function laterOf(before: Date | number, now: Date): Date {
  return Number(before) > now.getTime() ? new Date(before) : now;
}

export const systemClock: Clock = { now: () => new Date() };
