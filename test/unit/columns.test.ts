/** Text in the columns of a terminal: measured, cut and wrapped. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf, cut, fill, wrap } from "../../terminal/output/columns.ts";

const family = "👨‍👩‍👧";

test.each([
  ["Ada", 3],
  ["", 0],
  ["山田", 4],
  ["한국", 4],
  ["ｱ", 1],
  ["Ａ", 2],
  ["e\u0301", 1],
  ["Ἀ\u0301", 1],
  ["😀", 2],
  [family, 2],
  ["🇩🇪", 2],
  ["a\u200Bb", 2],
  ["\u001B[1mbold\u001B[22m", 4],
])("%j takes %i columns", (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test.each([
  ["Ada Lovelace", 12, "Ada Lovelace"],
  ["Ada Lovelace", 11, "Ada Lovela…"],
  ["Ada Lovelace", 5, "Ada…"],
  ["山田太郎", 8, "山田太郎"],
  ["山田太郎", 7, "山田太…"],
  ["山田太郎", 6, "山田…"],
  ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
  [`${family}${family}`, 3, `${family}…`],
  ["Ada", 1, "…"],
])("%j cut to %i columns is %j", (text, columns, expected) => {
  expect(cut(text, columns)).toBe(expected);
  expect(columnsOf(expected)).toBeLessThanOrEqual(columns);
});

describe("wrapped text", () => {
  test.each([
    ["one two three", 7, ["one two", "three"]],
    ["one two three", 3, ["one", "two", "three"]],
    ["unbreakable as it is", 4, ["unbreakable", "as", "it", "is"]],
    ["山田 太郎", 5, ["山田", "太郎"]],
    ["one\n\ntwo", 20, ["one", "", "two"]],
  ])("%j in %i columns", (text, columns, lines) => {
    expect(wrap(text, columns).split("\n")).toEqual(lines);
  });

  test("keeps every word, in its order, and only a word alone is ever too long", () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom("a", "山", "😀", "e\u0301") });
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 1, max: 40 }), (words, columns) => {
        const lines = fill(words, columns);
        expect(lines.join(" ").trim()).toBe(words.join(" "));
        for (const line of lines) if (line.includes(" ")) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
