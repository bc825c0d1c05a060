/** A text in an alphabet is found by the parts of it in the same alphabet, and by no others. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { indexedLines, mostAlphabets, toAlphabet } from "../../src/storage/reading/trigram-alphabets.ts";

test.each([
  { what: "alphabet 0", text: "ada", alphabet: 0, expected: "ada" },
  { what: "the first alphabet", text: "\na", alphabet: 1, expected: "\u{F000A}\u{F0061}" },
  { what: "the last alphabet", text: "a", alphabet: mostAlphabets, expected: "\u{10F061}" },
  {
    what: "the last character that is moved, and the first that is not",
    text: "\u{FFF}\u{1000}",
    alphabet: 2,
    expected: "\u{F1FFF}\u{1000}",
  },
])("a text in $what", ({ text, alphabet, expected }) => {
  expect(toAlphabet(text, alphabet)).toBe(expected);
});

test("a part is found in its own alphabet alone", () => {
  const character = fc.integer({ min: 0, max: 0xf_ff }).map((point) => String.fromCodePoint(point));
  const part = fc.string({ unit: character, minLength: 1 });
  const anyAlphabet = fc.integer({ min: 0, max: mostAlphabets });
  fc.assert(
    fc.property(fc.string({ unit: character }), part, anyAlphabet, anyAlphabet, (before, wanted, own, other) => {
      const isFound = toAlphabet(before + wanted, own).includes(toAlphabet(wanted, other));
      expect(isFound).toBe(own === other);
    }),
  );
});

test("empty texts are no lines", () => {
  expect(indexedLines(0, "ada", null, "", "love")).toBe("\nada\nlove");
  expect(indexedLines(3, null, "")).toBe("");
});
