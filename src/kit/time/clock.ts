/** The source of time: code receives a Clock, so that tests can control it. */
export interface Clock {
  now(): Date;
}

/** A monotonic `now`: the previous value if the clock was set back since, for fields such as updated_at. */
export function laterOf(before: Date | number, now: Date): Date {
  return Number(before) > now.getTime() ? new Date(before) : now;
}

export const systemClock: Clock = { now: () => new Date() };
