/** Times as the API shows them, whatever was written before. */
import { expect, it, test } from "vitest";
import { toNullableTimestamp, toTimestamp } from "../../src/kit/time/timestamp.ts";

const times = [
  "2026-11-21T03:44:00.000Z",
  "2026-11-21T23:59:59.999Z",
  "2026-11-22T00:00:00.000Z",
  "2026-11-21T00:00:00.001Z",
  "2024-02-29T12:30:09.090Z",
  "1970-01-01T00:00:00.000Z",
  "1969-12-31T23:59:59.999Z",
  "1969-12-31T00:00:00.000Z",
  "0099-01-01T05:06:07.008Z",
  "9999-12-31T23:59:59.999Z",
  "+010000-01-01T00:00:00.500Z",
  "-000044-03-15T11:00:00.000Z",
];

test.each(times)("%s", (time) => {
  expect(toTimestamp(Date.parse(time))).toBe(time);
});

it("tells them apart in any order", () => {
  const doubled = [...times, ...times.toReversed(), ...times.flatMap((time) => [time, time])];
  expect(doubled.map((time) => toTimestamp(Date.parse(time)))).toEqual(doubled);
});

it("tells days apart when there are more than are kept", () => {
  const days = Array.from({ length: 8000 }, (_, day) => day * 86_400_000 + 1);
  expect(days.map(toTimestamp)).toEqual(days.map((day) => new Date(day).toISOString()));
});

it("refuses what is no time, and goes on", () => {
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 8.7e15]) {
    expect(() => toTimestamp(wrong), String(wrong)).toThrow(RangeError);
    expect(toTimestamp(86_400_000)).toBe("1970-01-02T00:00:00.000Z");
  }
});

it("leaves out a time that is none", () => {
  expect(toNullableTimestamp(null)).toBeNull();
  expect(toNullableTimestamp(7)).toBe("1970-01-01T00:00:00.007Z");
});
