/** Times of day and weekly windows in a time zone: when a time comes next, and when a window is open next, across daylight saving. */
import { offsetAt } from "./zone-offset.ts";

const minute = 60_000;
const day = 86_400_000;

export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof weekdays)[number];

/** Open on its days from one local time to another, in minutes of the day; past midnight, into the next day, if `to` is not after `from`. */
export interface WeeklyWindow {
  readonly days: readonly Weekday[];
  readonly from: number;
  readonly to: number;
}

/** Minutes of the day for `09:00`, and 1440 for `24:00`; undefined for anything else. */
export function readTimeOfDay(text: string): number | undefined {
  if (text === "24:00") return 1440;
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** The most days until the next occurrence: of a window on one weekday, daylight saving may skip one. */
const mostDays = 22;

/**
 * The first instant after `after` at which local clocks show this minute of the day, in milliseconds. On a day whose clocks skip it, the
 * instant at which they are past it; on a day that has it twice, the first.
 */
export function nextTimeOfDay(after: number, timeOfDay: number, timeZone: string): number {
  for (let days = -1; days <= mostDays; days += 1) {
    const midnight = localDay(after, days, timeZone);
    const first = instantsOf(midnight + timeOfDay * minute, timeZone)[0]!;
    // A zone that crosses the date line skips a whole day.
    if (first > after && localDay(first, 0, timeZone) === midnight) return first;
  }
  throw new Error(`the time of day ${timeOfDay} does not come in ${timeZone}`);
}

/** The first instant from `since` on at which the window is open: `since` itself if it is open then. */
export function nextOpening(since: number, window: WeeklyWindow, timeZone: string): number {
  if (isOpen(since, window, timeZone)) return since;
  for (let days = 0; days <= mostDays; days += 1) {
    const midnight = localDay(since, days, timeZone);
    // It opens when clocks show `from`, or when they jump into it on this day.
    const jumps = transitionsBetween(midnight - day, midnight + 2 * day, timeZone);
    const opening = [
      ...instantsOf(midnight + window.from * minute, timeZone),
      ...jumps.filter((instant) => localDay(instant, 0, timeZone) === midnight),
    ]
      .filter((instant) => instant > since && isOpen(instant, window, timeZone))
      .toSorted((one, other) => one - other);
    if (opening[0] !== undefined) return opening[0];
  }
  throw new Error(`a window never opens in ${timeZone}`);
}

/** Whether local clocks show a time in the window. */
function isOpen(instant: number, { days, from, to }: WeeklyWindow, timeZone: string): boolean {
  const local = instant + offsetAt(instant, timeZone);
  const time = (((local % day) + day) % day) / minute;
  const isDay = (shown: number) => days.includes(weekdays[new Date(shown).getUTCDay()]!);
  if (from < to) return isDay(local) && time >= from && time < to;
  return (isDay(local) && time >= from) || (isDay(local - day) && time < to);
}

/** Midnight of the local day of an instant, `days` later, as if it were UTC. */
function localDay(instant: number, days: number, timeZone: string): number {
  return Math.floor((instant + offsetAt(instant, timeZone)) / day) * day + days * day;
}

/** The instants at which clocks show a local time, given as if it were UTC: one or two, or the end of the gap that skips it. */
function instantsOf(local: number, timeZone: string): number[] {
  const offsets = [local - day, local + day].map((near) => offsetAt(near, timeZone));
  const instants = [...new Set(offsets.map((offset) => local - offset))].filter(
    (instant) => instant + offsetAt(instant, timeZone) === local,
  );
  if (instants.length > 0) return instants.toSorted((one, other) => one - other);
  return transitionsBetween(local - day, local + day, timeZone);
}

/** The instant at which the offset changes, to the second; no zone changes it twice within a few days. */
function transitionsBetween(from: number, to: number, timeZone: string): number[] {
  const before = offsetAt(from, timeZone);
  if (before === offsetAt(to, timeZone)) return [];
  let [low, high] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * 1000, timeZone) === before) low = middle;
    else high = middle;
  }
  return [high * 1000];
}
