/** Folding and lengths: which spellings meet, which stay apart, and how long a text is. */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { codePointLength, foldEmail, fold, isBlank, shellWord, splitAt } from "../../src/kit/text.ts";

describe("fold", () => {
  test.each([
    ["Jane@Example.ORG", "jane@example.org", "case"],
    ["  New   York\t", "new york", "blanks"],
    [" New York", "new york", "one space before plain words"],
    ["a\u00a0b\u2003c\r\nd", "a b c d", "blanks of every kind"],
    ["É", "é", "capital accents"],
    ["E\u0301", "é", "an accent written apart"],
    ["Straße", "strasse", "sharp s"],
    ["STRASSE", "strasse", "sharp s in capitals"],
    ["STRAẞE", "strasse", "the capital sharp s"],
    ["ΟΔΟΣ", "οδοσ", "sigma at the end of a word"],
    ["οδος", "οδοσ", "the small sigma of word ends"],
    ["J\u030c", "ǰ", "an accent that has one character in lower case alone"],
    ["ＡＢＣ１２３", "abc123", "full-width letters"],
    ["ﬁne", "fine", "ligatures"],
    ["", "", "nothing"],
    [" \t\n", "", "blanks alone"],
  ])("%j → %j (%s)", (given, folded) => {
    expect(fold(given)).toBe(folded);
  });

  test.each([
    ["José", "Jose"],
    ["ıf", "if"],
    ["new york", "newyork"],
    ["a.b@example.org", "ab@example.org"],
  ])("keeps %j and %j apart", (one, other) => {
    expect(fold(one)).not.toBe(fold(other));
  });

  it("changes nothing the second time, for every character of Unicode", () => {
    const unsettled: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const folded = fold(`x${String.fromCodePoint(point)}Y`);
      if (fold(folded) !== folded) unsettled.push(point.toString(16));
    }
    expect(unsettled).toEqual([]);
  });

  it("changes nothing the second time, and capitals nothing at all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 1000 },
    );
    fc.assert(fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => fold(text.toUpperCase()) === fold(text)));
  });
});

describe("foldEmail", () => {
  test.each([
    ["Jane@Example.ORG", "jane@example.org", "case"],
    ["JOSE\u0301@example.org", "josé@example.org", "an accent written apart"],
    ["MÜLLER@BÜCHER.example", "müller@bücher.example", "capitals of every script"],
    ["STRAẞE@example.org", "straße@example.org", "the capital sharp s"],
    ["J\u030c@example.org", "ǰ@example.org", "an accent that has one character in lower case alone"],
  ])("%j → %j (%s)", (given, key) => {
    expect(foldEmail(given)).toBe(key);
  });

  test.each([
    ["straße@example.org", "strasse@example.org"],
    ["ﬁne@example.org", "fine@example.org"],
    ["ａ@example.org", "a@example.org"],
    ["josé@example.org", "jose@example.org"],
    ["a.b@example.org", "ab@example.org"],
  ])("keeps %j and %j apart", (one, other) => {
    expect(foldEmail(one)).not.toBe(foldEmail(other));
  });

  it("changes nothing the second time, for every character of Unicode", () => {
    const unsettled: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const key = foldEmail(`x${String.fromCodePoint(point)}Y`);
      if (foldEmail(key) !== key) unsettled.push(point.toString(16));
    }
    expect(unsettled).toEqual([]);
  });
});

describe("isBlank", () => {
  test.each([
    ["", true],
    [" \t\n\u00a0\u3000", true],
    ["\u200b\u200d\ufeff\u2060\u00ad", true],
    ["\u0001\u001b\u007f\u0085", true],
    ["\u202e \u200f", true],
    ["\u3164\u115f\u2800\ufe0f", true], // fillers and a blank of Braille
    ["\u200bA", false],
    ["👩\u200d💻", false],
    ["-", false],
    ["\u0301", false],
  ])("%j: %j", (text, blank) => {
    expect(isBlank(text)).toBe(blank);
  });
});

describe("codePointLength", () => {
  test.each([
    ["", 0],
    ["abc", 3],
    ["é", 1],
    ["😀", 1],
    ["a😀b😀", 4],
    ["👩‍💻", 3],
    ["\ud83d", 1],
    ["\ude00\ud83d", 2],
    ["\ud83d\ud83d\ude00", 2],
  ])("%j has %i", (text, length) => {
    expect(codePointLength(text)).toBe(length);
  });

  it("counts what the string's own iterator counts", () => {
    const units = fc.string({ unit: fc.constantFrom("a", "\ud83d", "\ude00", "😀", "é") });
    fc.assert(fc.property(units, (text) => codePointLength(text) === [...text].length));
  });
});

test.each([
  ["", 3, ["", ""]],
  ["abc", 3, ["abc", ""]],
  ["abcd", 3, ["abc", "d"]],
  ["😀😀", 1, ["😀", "😀"]],
  ["a😀b", 2, ["a😀", "b"]],
  ["a😀", 2, ["a😀", ""]],
])("splitAt(%j, %i)", (text, length, parts) => {
  expect(splitAt(text, length)).toEqual(parts);
});

test.each(["/var/lib/crm", "my data", "it's", '$HOME `id` \\ "x" #*?', "-rf", "", "a\nb"])(
  "a shell reads %j as one word",
  (text) => {
    const words = execFileSync("sh", ["-c", `printf '<%s>' ${shellWord(text)}`], { encoding: "utf8" });
    expect(words).toBe(`<${text}>`);
  },
);
