/** Times as people and programs give them: with an offset or `Z`; without one, in some time zone; a date alone, until its end. */
import { z } from "zod";
import { earliestTime, latestTime, readTimestamp } from "./read-timestamp.ts";

/** What was given. Without an offset it is known only once it is clear where. */
export type GivenTime =
  | { readonly at: Date }
  /** What clocks and calendars show there, in milliseconds as if it were UTC; the last millisecond of a day where `isDay`. */
  | { readonly shown: number; readonly isDay: boolean };

const withoutOffset = z.iso.datetime({ local: true });
const dateAlone = z.iso.date();

const day = 86_400_000;
/** Two days less than can be stored: a zone may put a time into the next day, and the last one counts as never. */
const earliest = earliestTime + 2 * day;
const latest = latestTime - 2 * day;

/** For whoever names what is accepted. */
export const acceptedTime =
  "an ISO 8601 time such as 2026-03-01T12:00:00Z or 2026-03-01T12:00, or a date such as 2026-03-01";

/** Undefined for what is none of them, and for a day that there is not. */
export function readGivenTime(text: string): GivenTime | undefined {
  if (dateAlone.safeParse(text).success) return within(Date.parse(text), (shown) => ({ shown, isDay: true }));
  const at = readTimestamp(text);
  if (at !== undefined) return within(at.getTime(), () => ({ at }));
  if (!withoutOffset.safeParse(text).success) return undefined;
  return within(Date.parse(`${text}Z`), (shown) => ({ shown, isDay: false }));
}

function within(time: number, make: (time: number) => GivenTime): GivenTime | undefined {
  return time >= earliest && time <= latest ? make(time) : undefined;
}

/** The moment that is meant in a time zone; a day is meant until its last millisecond. */
export function momentIn(given: GivenTime, timeZone: string): Date {
  if ("at" in given) return given.at;
  if (given.isDay) return new Date(toMoment(given.shown + day, timeZone) - 1);
  return new Date(toMoment(given.shown, timeZone));
}

/**
 * When clocks there show `shown`. A time that they show twice is the first of both; one that they skip is as much later as they are put
 * forward. No zone is put forward or back twice within two days.
 */
function toMoment(shown: number, timeZone: string): number {
  const [before, after] = [shown - day, shown + day].map((near) => shown - offsetAt(near, timeZone)) as [
    number,
    number,
  ];
  if (before === after) return before;
  const isShownBefore = before + offsetAt(before, timeZone) === shown;
  const isShownAfter = after + offsetAt(after, timeZone) === shown;
  return isShownAfter && !isShownBefore ? after : before;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** By how much clocks there are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const shown = new Date(0);
  shown.setUTCFullYear(parts["year"]!, parts["month"]! - 1, parts["day"]);
  shown.setUTCHours(parts["hour"]!, parts["minute"], parts["second"]);
  return shown.getTime() - Math.floor(moment / 1000) * 1000;
}
