/** What a client is shown of its own value: short, whatever it sent. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { showValue } from "../../src/kit/input/shown-value.ts";

/** `open` and `close` around each other, as deep as a request may be long. */
const nested = (open: string, inner: string, close: string, depth = 100_000): unknown =>
  JSON.parse(open.repeat(depth) + inner + close.repeat(depth));

const rows: [name: string, value: () => unknown, shown: string][] = [
  ["a text", () => "Rome", '"Rome"'],
  ["quotes", () => 'say "hi"', '"say \\"hi\\""'],
  ["a number", () => 1.5, "1.5"],
  ["null", () => null, "null"],
  ["what was not sent", () => undefined, "nothing"],
  ["a list", () => [1, { a: [true, "x"] }], '[1,{"a":[true,"x"]}]'],
  ["an empty object", () => ({}), "{}"],
  ["what just fits", () => "x".repeat(58), `"${"x".repeat(58)}"`],
  ["what is one too long", () => "x".repeat(59), `"${"x".repeat(59)}…`],
  ["a long text", () => ["x".repeat(1_000_000)], `["${"x".repeat(58)}…`],
  ["a long list", () => Array.from({ length: 1_000_000 }, () => 1), `[${"1,".repeat(29)}1…`],
  ["characters of two halves", () => "👍".repeat(40), `"${"👍".repeat(29)}…`],
  ["lists in lists without end", () => nested("[", "", "]"), "[[[[[…]]]]]"],
  ["objects in objects without end", () => nested('{"a":', "[]", "}"), '{"a":{"a":{"a":{"a":{…}}}}}'],
];
test.each(rows)("%s", (_name, value, shown) => {
  expect(showValue(value())).toBe(shown);
});

test("a short value is the JSON that it is, any other begins like it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const shown = showValue(value);
      const whole = JSON.stringify(value);
      expect(shown.length).toBeLessThanOrEqual(61);
      if (whole.length <= 60) expect(shown).toBe(whole);
    }),
  );
});
