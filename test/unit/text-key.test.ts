/** Keys of texts: the folded text as long as it is short, and never long enough to burst an index. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emailKey, isCut, isWithinKeys, textKey } from "../../src/kit/text-key.ts";
import { fold, foldEmail } from "../../src/kit/text.ts";

const long = (letter: string, count = 255) => letter.repeat(count);

describe("a key", () => {
  test.each([
    ["of a text", textKey("  Ada   Lovelace "), "ada lovelace"],
    ["of a street in Greek capitals", textKey("ΟΔΟΣ ΑΘΗΝΑΣ"), "οδοσ αθηνασ"],
    ["of an address", emailKey("STRASSE@X.de"), "strasse@x.de"],
    ["of an address with a sharp s", emailKey("Straße@X.de"), "straße@x.de"],
    ["of a text that just fits", textKey(long("A", 160)), long("a", 160)],
    ["of a text that just fits in bytes", textKey(long("Ж", 80)), long("ж", 80)],
  ])("%s is the folded text", (_name, key, folded) => {
    expect(key).toBe(folded);
    expect(isCut(key)).toBe(false);
  });

  test.each([
    ["one too many", long("a", 161)],
    ["one byte too many", long("ж", 81)],
    ["letters of four bytes", long("𐐨")],
    // One character that becomes eighteen (U+FDFA).
    ["letters that grow", long("ﷺ")],
    ["blanks", `${long("a ", 127)}a`],
  ])("of a text that is too long (%s) begins as it does, and fits", (_name, text) => {
    const key = textKey(text);
    expect(Buffer.byteLength(key)).toBeLessThanOrEqual(160);
    expect(isCut(key)).toBe(true);
    expect(key).toMatch(/ [A-P]{32}$/);
    expect(fold(text).startsWith(key.slice(0, -33))).toBe(true);
    expect(textKey(`${text}x`)).not.toBe(key);
    expect(textKey(text.toUpperCase())).toBe(key);
  });

  test("shows the beginnings that are said to be within it", () => {
    for (const letter of ["a", "ж", "中", "𐐨"]) {
      const key = textKey(long(letter));
      const beginnings = Array.from({ length: 200 }, (_, count) => long(letter, count)).filter(isWithinKeys);
      expect(beginnings.length).toBeGreaterThan(120 / Buffer.byteLength(letter));
      expect(beginnings.filter((beginning) => !key.startsWith(beginning))).toEqual([]);
    }
  });

  test("is the same for the same folded texts alone, and is never found in another's hash", () => {
    const text = fc.string({ unit: "binary", minLength: 1, maxLength: 255 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        for (const [key, folding] of [[textKey, fold] as const, [emailKey, foldEmail] as const]) {
          expect(key(one) === key(other)).toBe(folding(one) === folding(other));
          expect(isCut(key(one))).toBe(key(one) !== folding(one));
          // Whatever a part of a text is looked for in: what is found in the key is in the text.
          const part = folding(other.slice(0, 3));
          if (part !== "" && key(one).includes(part)) expect(folding(one)).toContain(part.trim());
        }
      }),
      { numRuns: 2000 },
    );
  });
});
