/** API keys as text: their form, the check that tells a typo, and what is stored of them. */
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { hashSecret, isWellFormedSecret, lastFour, mintSecret, showsSecret } from "../../src/kit/secrets/secret.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("mintSecret", () => {
  const minted = Array.from({ length: 2000 }, () => mintSecret("crm_key_"));

  it("is the prefix and 36 base62 characters, well-formed, and never the same twice", () => {
    expect(minted.filter((secret) => !/^crm_key_[0-9A-Za-z]{36}$/.test(secret))).toEqual([]);
    expect(minted.filter((secret) => !isWellFormedSecret("crm_key_", secret))).toEqual([]);
    expect(new Set(minted).size).toBe(minted.length);
  });

  it("ends in the base62 CRC32 of the thirty characters before", () => {
    for (const secret of minted.slice(0, 100)) {
      const [, random = "", check = ""] = /^crm_key_(.{30})(.{6})$/.exec(secret) ?? [];
      const value = [...check].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0);
      expect(value).toBe(crc32(random));
    }
  });

  it("draws every character evenly", () => {
    const counts = new Map<string, number>();
    for (const secret of minted) {
      for (const character of secret.slice(8, 38)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    // 60,000 draws over 62 characters: 968 each, give or take 31. Six of those are never passed by chance; the favour that
    // a byte modulo 62 shows the first eight characters (+21 %) is.
    expect([...base62].filter((character) => Math.abs((counts.get(character) ?? 0) - 968) > 6 * 31)).toEqual([]);
  });
});

describe("isWellFormedSecret", () => {
  const good = mintSecret("crm_key_");
  test.each([
    ["nothing", ""],
    ["the prefix alone", "crm_key_"],
    ["another prefix", good.replace("crm_key_", "crm_at_")],
    ["another prefix of that length", good.replace("crm_key_", "abc_key_")],
    ["no prefix", good.slice("crm_key_".length)],
    ["a character too few", good.slice(0, -1)],
    ["a character too many", `${good}0`],
    ["a line end behind it", `${good}\n`],
    ["a blank before it", ` ${good}`],
    ["a character that is not base62", `${good.slice(0, 20)}-${good.slice(21)}`],
  ])("refuses %s", (_what, text) => {
    expect(isWellFormedSecret("crm_key_", text)).toBe(false);
  });

  it("refuses other characters even where the check fits them", () => {
    const random = "-".repeat(30);
    const check = Array.from({ length: 6 }, (_, place) => base62[Math.floor(crc32(random) / 62 ** (5 - place)) % 62]);
    expect(isWellFormedSecret("crm_key_", `crm_key_${random}${check.join("")}`)).toBe(false);
  });

  it("refuses every secret with one character mistyped", () => {
    const place = fc.integer({ min: "crm_key_".length, max: good.length - 1 });
    fc.assert(
      fc.property(place, fc.constantFrom(...base62), (at, character) => {
        fc.pre(good[at] !== character);
        return !isWellFormedSecret("crm_key_", good.slice(0, at) + character + good.slice(at + 1));
      }),
    );
  });
});

it("stores SHA-256 in hex and shows the last four characters", () => {
  expect(hashSecret("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(lastFour("crm_key_abcdWXYZ")).toBe("WXYZ");
});

describe("showsSecret", () => {
  const app = mintSecret("crm_app_");
  test.each([
    ["an API key", `<code>${mintSecret("crm_key_")}</code>`, true],
    ["a token in an address", `action="/reset/${mintSecret("crm_reset_")}"`, true],
    ["the secret of a webhook", "whsec_4bq0T1Xl0v0nq2o5cJ8eXqkq3l1xq4v7sQ2d9Zk1r0w", true],
    ["an authenticator", 'href="otpauth://totp/crm"', true],
    ["a client id", app, false],
    ["the form of a key", "crm_key_…", false],
    ["four characters", "crm_key_…4711", false],
    ["a page", "<p>Keys and tokens</p>", false],
  ])("%s: %j is %j", (_what, text, isShown) => expect(showsSecret(text)).toBe(isShown));
});
