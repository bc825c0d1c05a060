/** Times of day and weekly windows in time zones: the next one, across both changes of daylight saving. */
import { expect, test } from "vitest";
import { nextOpening, nextTimeOfDay, readTimeOfDay } from "../../src/kit/time/opening.ts";
import type { Weekday } from "../../src/kit/time/opening.ts";

const newYork = "America/New_York";
const workdays: Weekday[] = ["mon", "tue", "wed", "thu", "fri"];
const daily: Weekday[] = [...workdays, "sat", "sun"];

function show(instant: number): string {
  return new Date(instant).toISOString().replace(":00.000Z", "Z");
}

// Clocks of New York skip 2026-03-08T02:00/03:00 and show 2026-11-01T01:00/02:00 twice.
test.each<[what: string, after: string, time: string, zone: string, next: string]>([
  ["later today", "2026-06-01T12:00Z", "09:00", newYork, "2026-06-01T13:00Z"],
  ["tomorrow", "2026-06-01T13:30Z", "09:00", newYork, "2026-06-02T13:00Z"],
  ["exactly now: tomorrow, so that a daily loop waits", "2026-06-01T13:00Z", "09:00", newYork, "2026-06-02T13:00Z"],
  [
    "across the start of daylight saving, a day of 23 hours",
    "2026-03-07T14:00Z",
    "09:00",
    newYork,
    "2026-03-08T13:00Z",
  ],
  ["across its end, a day of 25 hours", "2026-10-31T13:00Z", "09:00", newYork, "2026-11-01T14:00Z"],
  ["a time that is skipped: when the gap ends", "2026-03-08T00:00Z", "02:30", newYork, "2026-03-08T07:00Z"],
  ["a time that comes twice: the first", "2026-11-01T04:30Z", "01:30", newYork, "2026-11-01T05:30Z"],
  ["between both: the next day", "2026-11-01T05:45Z", "01:30", newYork, "2026-11-02T06:30Z"],
  ["another day than in UTC", "2026-06-01T23:00Z", "09:00", "Pacific/Auckland", "2026-06-02T21:00Z"],
  ["a quarter-hour zone", "2026-06-01T00:00Z", "09:00", "Asia/Kathmandu", "2026-06-01T03:15Z"],
  ["a day that does not exist", "2011-12-30T08:00Z", "09:00", "Pacific/Apia", "2011-12-30T19:00Z"],
])("a time of day: %s", (_what, after, time, zone, next) => {
  expect(show(nextTimeOfDay(Date.parse(after), readTimeOfDay(time)!, zone))).toBe(next);
});

test.each<[what: string, since: string, days: Weekday[], from: string, to: string, zone: string, opens: string]>([
  ["it is open", "2026-06-01T14:10Z", workdays, "09:00", "18:00", newYork, "2026-06-01T14:10Z"],
  ["it opens today", "2026-06-01T10:10Z", workdays, "09:00", "18:00", newYork, "2026-06-01T13:00Z"],
  ["it has just closed", "2026-06-01T22:00Z", workdays, "09:00", "18:00", newYork, "2026-06-02T13:00Z"],
  ["over the weekend", "2026-06-05T22:00Z", workdays, "09:00", "18:00", newYork, "2026-06-08T13:00Z"],
  ["past midnight, on the day it began", "2026-06-02T05:00Z", ["mon"], "22:00", "02:00", newYork, "2026-06-02T05:00Z"],
  ["past midnight, on another day", "2026-06-03T05:00Z", ["mon"], "22:00", "02:00", newYork, "2026-06-09T02:00Z"],
  ["to midnight", "2026-06-07T03:59Z", ["sat"], "00:00", "24:00", newYork, "2026-06-07T03:59Z"],
  ["after midnight", "2026-06-07T04:00Z", ["sat"], "00:00", "24:00", newYork, "2026-06-13T04:00Z"],
  ["after the start of daylight saving", "2026-03-08T02:00Z", daily, "09:00", "18:00", newYork, "2026-03-08T13:00Z"],
  ["after its end", "2026-11-01T02:00Z", daily, "09:00", "18:00", newYork, "2026-11-01T14:00Z"],
  ["its start is skipped", "2026-03-08T05:30Z", daily, "02:30", "09:00", newYork, "2026-03-08T07:00Z"],
  ["all of it is skipped", "2026-03-08T05:30Z", ["sun"], "02:15", "02:45", newYork, "2026-03-15T06:15Z"],
  ["it comes twice", "2026-11-01T05:40Z", daily, "01:10", "01:30", newYork, "2026-11-01T06:10Z"],
  ["the day before it comes twice", "2026-10-31T12:00Z", daily, "01:00", "02:00", newYork, "2026-11-01T05:00Z"],
  ["two days before", "2014-04-04T01:30Z", daily, "02:00", "07:15", "Pacific/Apia", "2014-04-04T12:00Z"],
  ["clocks go back into it", "2026-11-01T05:40Z", daily, "00:30", "01:30", newYork, "2026-11-01T06:00Z"],
  ["south of the equator", "2026-10-03T15:00Z", ["sun"], "02:30", "04:00", "Australia/Sydney", "2026-10-03T16:00Z"],
])("a window: %s", (_what, since, days, from, to, zone, opens) => {
  const window = { days, from: readTimeOfDay(from)!, to: readTimeOfDay(to)! };
  expect(show(nextOpening(Date.parse(since), window, zone))).toBe(opens);
});

test.each(["9:00", "24:01", "25:00", "09:60", "", "09:00:00"])("the time %j is none", (text) => {
  expect(readTimeOfDay(text)).toBeUndefined();
});
