/** Sealed secrets: opened by the keys and in the place they were sealed for, and by nothing else. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createMasterKeys, mintMasterKey } from "../../src/kit/secrets/master-keys.ts";

const older = mintMasterKey();
const newer = mintMasterKey();
const context = "webhooks:7";

describe("seal and open", () => {
  it("give back any text in its context", () => {
    const keys = createMasterKeys([newer]);
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.string(),
        (plain, place) => keys.open(keys.seal(plain, place), place) === plain,
      ),
    );
  });

  it("never seal the same text the same way, nor show it", () => {
    const keys = createMasterKeys([newer]);
    const sealed = Array.from({ length: 50 }, () => keys.seal("whsec_in_clear", context));
    expect(new Set(sealed).size).toBe(50);
    const bodies = sealed.map((text) => Buffer.from(text.split(".")[2] ?? "", "base64url").toString("latin1"));
    expect([...sealed, ...bodies].filter((text) => text.includes("clear"))).toEqual([]);
  });

  it("open with an older key of the list, and seal with the first", () => {
    const sealedBefore = createMasterKeys([older]).seal("secret", context);
    const both = createMasterKeys([newer, older]);
    expect(both.open(sealedBefore, context)).toBe("secret");
    expect(createMasterKeys([newer]).open(both.seal("secret", context), context)).toBe("secret");
  });

  it("refuse any changed character", () => {
    const keys = createMasterKeys([newer]);
    const sealed = keys.seal("whsec_0123456789", context);
    for (let at = 0; at < sealed.length; at++) {
      for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ") {
        if (sealed[at] === character) continue;
        const changed = sealed.slice(0, at) + character + sealed.slice(at + 1);
        expect(() => keys.open(changed, context), changed).toThrow(/^The stored secret of webhooks:7 /);
      }
    }
  });

  test.each([
    [
      "another place",
      () => createMasterKeys([newer]).seal("s", "webhooks:8"),
      /was changed, or it belongs to another record/,
    ],
    [
      "an unknown key",
      () => createMasterKeys([older]).seal("s", context),
      /a master key that is not in CRM_SECRET_KEYS/,
    ],
    ["text in clear", () => "whsec_in_clear", /not in the form/],
    ["nothing", () => "", /not in the form/],
    ["a cut text", () => createMasterKeys([newer]).seal("s", context).slice(0, 40), /not in the form/],
    ["a text with more behind", () => `${createMasterKeys([newer]).seal("s", context)}.x`, /not in the form/],
  ])("refuse %s", (_what, seal, reason) => {
    expect(() => createMasterKeys([newer]).open(seal(), context)).toThrow(reason);
  });
});

describe("derive", () => {
  const keys = createMasterKeys([newer, older]);

  it("gives 32 bytes, the same ones each time, others for each purpose and key", () => {
    expect(keys.derive("cursors")).toHaveLength(32);
    expect(keys.derive("cursors")).toEqual(createMasterKeys([newer]).derive("cursors"));
    expect(keys.derive("cursors")).not.toEqual(keys.derive("sessions"));
    expect(keys.deriveAll("cursors")).toEqual([keys.derive("cursors"), createMasterKeys([older]).derive("cursors")]);
  });

  it("never gives a master key itself", () => {
    expect(keys.derive("seal").toString("base64url")).not.toBe(newer);
  });
});

describe("master keys", () => {
  it("are 43 base64url characters when minted", () => {
    expect(mintMasterKey()).toMatch(/^[\w-]{43}$/);
    expect(mintMasterKey()).not.toBe(mintMasterKey());
  });

  it("may be given in hex as well: the same bytes are the same key", () => {
    const bytes = randomBytes(32);
    const sealed = createMasterKeys([bytes.toString("hex")]).seal("secret", context);
    expect(createMasterKeys([bytes.toString("base64url")]).open(sealed, context)).toBe("secret");
  });

  test.each([
    ["31 bytes", randomBytes(31).toString("base64url")],
    ["33 bytes", randomBytes(33).toString("base64url")],
    ["62 hex digits", "ab".repeat(31)],
    ["ordinary base64", `${"+".repeat(42)}8`],
    ["a password", "correct horse battery staple"],
    ["nothing", ""],
  ])("refuse %s without repeating it", (_what, key) => {
    let message = "";
    try {
      createMasterKeys([key]);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toBe("A master key must be 32 bytes: 43 base64url characters or 64 hex digits.");
  });

  it("refuse an empty list", () => {
    expect(() => createMasterKeys([])).toThrow("At least one master key is needed.");
  });
});
