/** Memoization of pure functions, with bounded memory whatever the input. */
import { expect, test } from "vitest";
import { memoize } from "../../src/kit/memoize.ts";

test.each([
  ["asked twice", ["a", "a"], 1],
  ["nothing came of it", ["", ""], 1],
  ["others came in between, as many as are kept", ["a", "b", "a"], 2],
  ["one more came in between, and it began anew", ["a", "b", "c", "a"], 4],
  ["megabytes are not kept", ["x".repeat(1 << 20), "x".repeat(1 << 20)], 2],
])("%s", (_what, texts, worked) => {
  let count = 0;
  const of = memoize(2, (text) => {
    count += 1;
    return text === "" ? undefined : text.length;
  });
  for (const text of texts) expect(of(text)).toBe(text === "" ? undefined : text.length);
  expect(count).toBe(worked);
});
