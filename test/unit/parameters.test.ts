/** Parameters are read as URLSearchParams reads them, however many there are. */
import { expect, test } from "vitest";
import { readParameters } from "../../src/http/request/parameters.ts";

const parts = ["a", "a=", "a=1", "=1", "=", "", "a=b=c", "a+b", "%41", "%4", "é", "?x"];

test("long ones as short ones", () => {
  const short = parts.join("&");
  for (const text of [short, `?${short}`, `??${short}`, `?=${short}`, `?&${short}`, `&${short}&&`]) {
    const long = `${text}&${`${short}&`.repeat(200)}`;
    for (const given of [text, long]) expect([...readParameters(given)]).toEqual([...new URLSearchParams(given)]);
  }
});

test("a mebibyte of bare names takes no seconds", () => {
  const begun = process.cpuUsage();
  expect(readParameters("a&".repeat(1 << 19)).size).toBe(1 << 19);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1e6).toBeLessThan(1.5);
});
