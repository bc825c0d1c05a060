/** Time zones: IANA names in any case, spelled as IANA spells them; nothing else. */
import { describe, expect, it, test } from "vitest";
import { canonicalTimeZone } from "../../src/kit/time/time-zone.ts";

describe("canonicalTimeZone", () => {
  test.each([
    "America/New_York",
    "America/Port-au-Prince",
    "America/Port_of_Spain",
    "America/Indiana/Knox",
    "Antarctica/DumontDUrville",
    "Asia/Calcutta",
    "Australia/Sydney",
    "UTC",
    "GMT",
  ])("gives %s its spelling, in any case", (name) => {
    expect(canonicalTimeZone(name.toUpperCase())).toBe(name);
    expect(canonicalTimeZone(name.toLowerCase())).toBe(name);
    expect(canonicalTimeZone(name)).toBe(name);
  });

  test.each(["Asia/Kolkata", "Europe/Kyiv", "US/Eastern", "Etc/GMT+5", "Brazil/DeNoronha", "Mexico/BajaNorte"])(
    "keeps the link %s as it is",
    (name) => expect(canonicalTimeZone(name)).toBe(name),
  );

  it("keeps every zone that this Node knows", () => {
    const names = Intl.supportedValuesOf("timeZone");
    expect(names.length).toBeGreaterThan(400);
    expect(names.filter((name) => canonicalTimeZone(name.toLowerCase()) !== name)).toEqual([]);
  });

  test.each([
    "",
    " ",
    "UTC ",
    "PST",
    "EST5EDT",
    "Zulu",
    "JST",
    "+02:00",
    "GMT+2",
    "America/Nowhere",
    "New York",
    "SystemV/EST5",
    "constructor",
    "/",
  ])("refuses %j", (name) => {
    expect(canonicalTimeZone(name)).toBeUndefined();
  });
});
