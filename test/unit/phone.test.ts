/** Phone numbers: which spellings are one number, and how each is shown. */
import { describe, expect, it, test } from "vitest";
import { isCountry, readPhone } from "../../src/kit/phone.ts";

describe("readPhone", () => {
  test.each([
    // what was given, where, the key, what is shown
    ["(415) 555-2671", "US", "+14155552671", "(415) 555-2671"],
    ["415.555.2671", "US", "+14155552671", "(415) 555-2671"],
    ["+1 415 555 2671", "US", "+14155552671", "(415) 555-2671"],
    ["  4155552671 ", "US", "+14155552671", "(415) 555-2671"],
    ["１４１５５５５２６７１", "US", "+14155552671", "(415) 555-2671"],
    ["011 44 20 7946 0018", "US", "+442079460018", "+44 20 7946 0018"],
    ["+44 20 7946 0018", "US", "+442079460018", "+44 20 7946 0018"],
    ["020 7946 0018", "GB", "+442079460018", "020 7946 0018"],
    ["+1 415 555 2671", "GB", "+14155552671", "+1 415 555 2671"],
    ["416 967 1111", "US", "+14169671111", "+1 416 967 1111"], // Canada's, though the calling code is shared
    ["+1 555 010 0123", "US", "+15550100123", "(555) 010-0123"], // a range that no country of the shared code +1 has
    ["(555) 010-0123", "US", "+15550100123", "(555) 010-0123"],
    ["+800 1234 5678", "US", "+80012345678", "+800 1234 5678"], // no country's
    ["415-555-2671 ext. 5", "US", "+14155552671;ext=5", "(415) 555-2671 ext. 5"],
    ["+1 415 555 2671 x0123", "US", "+14155552671;ext=0123", "(415) 555-2671 ext. 0123"],
    ["+1-415-555-2671;ext=5", "US", "+14155552671;ext=5", "(415) 555-2671 ext. 5"],
    ["020 7946 0018 ext 5", "GB", "+442079460018;ext=5", "020 7946 0018 x5"],
    ["+1 415 555 2671", "XX", "+14155552671", "+1 415 555 2671"],
  ])("%j in %s is %s, shown as %j", (input, country, key, display) => {
    expect(readPhone(input, country)).toEqual({ key, display });
  });

  test.each([
    ["1-800-FLOWERS", "US", "raw:1-800-flowers"],
    ["  Ask   reception ", "US", "raw:ask reception"],
    ["555-0132", "US", "raw:555-0132"], // without its area code it would match people elsewhere
    ["415 555 2671", "XX", "raw:415 555 2671"], // no country whose form it could have
    ["call 415-555-2671", "US", "raw:call 415-555-2671"],
    ["911", "US", "raw:911"],
    ["+", "US", "raw:+"],
    ["9".repeat(32), "US", `raw:${"9".repeat(32)}`],
  ])("%j in %s is kept as it is under a key of its own", (input, country, key) => {
    expect(readPhone(input, country)).toEqual({ key, display: input.trim() });
  });

  it("finds an unparseable phone by the same spelling, case and spacing aside", () => {
    expect(readPhone("ASK  Reception", "US").key).toBe(readPhone("ask reception", "DE").key);
  });

  it("keeps colleagues behind one number apart, whose extensions are shown as they are read again", () => {
    for (const country of ["US", "GB", "PE", "RO", "TW", "UY", "DE"]) {
      for (const number of ["+14155552671", "+442079460018", "+51112345678", "+40211234567", "+886221234567"]) {
        const [one, other] = ["12", "13"].map((extension) => readPhone(`${number} ext. ${extension}`, country));
        expect(one!.key).toBe(`${number};ext=12`);
        expect(other!.key).toBe(`${number};ext=13`);
        expect(readPhone(one!.display, country)).toEqual(one);
      }
    }
  });

  test.each(["", "  "])("%j is no phone", (input) => {
    expect(readPhone(input, "US")).toEqual({ key: null, display: "" });
  });
});

test.each([
  ["US", true],
  ["DE", true],
  ["us", false],
  ["USA", false],
  ["XX", false],
  ["001", false],
  ["", false],
  ["constructor", false],
])("isCountry(%j) is %j", (code, known) => {
  expect(isCountry(code)).toBe(known);
});
