/** Parses times with an offset or `Z`, local times without one, and dates, which mean the end of the day. */
import { z } from "zod";
import { offsetAt } from "./zone-offset.ts";
import { earliestTime, latestTime, readTimestamp } from "./read-timestamp.ts";

/** A parsed time. Without an offset it is resolved later in a time zone. */
export type GivenTime =
  | { readonly at: Date }
  /** The local time in milliseconds as if it were UTC; the last millisecond of the day if `isDay`. */
  | { readonly shown: number; readonly isDay: boolean };

const withoutOffset = z.iso.datetime({ local: true });
const dateAlone = z.iso.date();

const day = 86_400_000;
/** Local times and days keep two days away from both ends: a zone may move them into the next day. */
const earliest = earliestTime + 2 * day;
const latest = latestTime - 2 * day;

/** The accepted formats, for error messages. */
export const acceptedTime =
  "an ISO 8601 time such as 2026-03-01T12:00:00Z or 2026-03-01T12:00, or a date such as 2026-03-01";

/** Undefined for other texts, and for days that do not exist. */
export function readGivenTime(text: string): GivenTime | undefined {
  if (dateAlone.safeParse(text).success) return within(Date.parse(text), (shown) => ({ shown, isDay: true }));
  const at = readTimestamp(text);
  // The last instant is left for what has no time, such as tasks without a due date.
  if (at !== undefined) return at.getTime() < latestTime ? { at } : undefined;
  if (!withoutOffset.safeParse(text).success) return undefined;
  return within(Date.parse(`${text}Z`), (shown) => ({ shown, isDay: false }));
}

function within(time: number, make: (time: number) => GivenTime): GivenTime | undefined {
  return time >= earliest && time <= latest ? make(time) : undefined;
}

/** Resolves to an instant in a time zone; a day resolves to its last millisecond. */
export function momentIn(given: GivenTime, timeZone: string): Date {
  if ("at" in given) return given.at;
  if (given.isDay) return new Date(toMoment(given.shown + day, timeZone) - 1);
  return new Date(toMoment(given.shown, timeZone));
}

/**
 * The instant of a local time. An ambiguous time resolves to the first instant; a skipped one is moved forward by the
 * gap. No zone changes its offset twice within two days.
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
