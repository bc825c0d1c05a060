/** Times as they are given, and the moments that they mean where clocks are put forward and back. */
import { expect, test } from "vitest";
import { momentIn, readGivenTime } from "../../src/kit/time/given-time.ts";

test.each([
  // [given, zone, moment]
  ["2026-03-01T12:00:00Z", "Asia/Tokyo", "2026-03-01T12:00:00.000Z"],
  ["2026-03-01T12:00:00.1234+05:30", "UTC", "2026-03-01T06:30:00.123Z"],
  ["2026-03-01T12:00", "UTC", "2026-03-01T12:00:00.000Z"],
  ["2026-01-15T12:00", "America/New_York", "2026-01-15T17:00:00.000Z"],
  ["2026-07-15T12:00:30.5", "America/New_York", "2026-07-15T16:00:30.500Z"],
  ["2026-07-15T12:00", "Asia/Kathmandu", "2026-07-15T06:15:00.000Z"],
  // Put forward at 02:00: half past two does not come, and is half past three.
  ["2026-03-08T01:59", "America/New_York", "2026-03-08T06:59:00.000Z"],
  ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
  ["2026-03-08T03:00", "America/New_York", "2026-03-08T07:00:00.000Z"],
  // Put back at 02:00: half past one comes twice, and is the first.
  ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
  ["2026-11-01T02:00", "America/New_York", "2026-11-01T07:00:00.000Z"],
  ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
  ["2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z"],
  // The end of a day: of one with 23 hours, of one with 25, and before one that begins at one o'clock.
  ["2026-03-08", "America/New_York", "2026-03-09T03:59:59.999Z"],
  ["2026-11-01", "America/New_York", "2026-11-02T04:59:59.999Z"],
  ["2026-04-23", "Africa/Cairo", "2026-04-23T21:59:59.999Z"],
  ["2024-02-29", "UTC", "2024-02-29T23:59:59.999Z"],
  // A time with an offset is an instant, up to the last but one of the year 9999: the last means no due date.
  ["0001-01-01T00:00:00Z", "America/New_York", "0001-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59Z", "Pacific/Auckland", "9999-12-31T23:59:59.000Z"],
  ["9999-12-31T18:59:59.998-05:00", "America/New_York", "9999-12-31T23:59:59.998Z"],
])("%s in %s is %s", (given, zone, moment) => {
  expect(momentIn(readGivenTime(given)!, zone).toISOString()).toBe(moment);
});

test("there and back: whatever clocks show, the moment is one at which they show it", () => {
  for (const zone of ["America/New_York", "Europe/London", "Pacific/Apia", "America/St_Johns"]) {
    for (let hour = 0; hour < 24 * 366; hour += 5) {
      const shown = new Date(Date.UTC(2026, 0, 1, hour, 17)).toISOString().slice(0, 16);
      const moment = momentIn(readGivenTime(shown)!, zone);
      const clock = new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
      const skipped = /^2026-03-08T02|^2026-03-29T01/.test(shown);
      if (!skipped) expect(clock.format(moment), zone).toBe(shown.replace("T", " "));
    }
  }
});

test.each([
  "",
  "2026",
  "2026-02-29",
  "2026-03-01T25:00",
  "2026-03-01T12",
  "2026-03-01T12:00:00+25:00",
  "01/03/2026",
  "9999-12-31",
  "9999-12-31T12:00",
  "9999-12-31T23:59:59.999Z",
  "9999-12-31T23:59:59-05:00",
])("%j is no time", (text) => expect(readGivenTime(text)).toBeUndefined());
