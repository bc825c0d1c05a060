/** Time-based one-time passwords against the vectors of RFC 6238, and recovery codes as people type them. */
import { describe, expect, test } from "vitest";
import { hashRecoveryCode, mintRecoveryCodes } from "../../src/tenancy/two-factor/recovery-code.ts";
import { findTotpStep, mintTotpSecret, toTotpUri } from "../../src/tenancy/two-factor/totp.ts";

/** "12345678901234567890", the secret of RFC 6238, appendix B. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const at = (seconds: number) => new Date(seconds * 1000);

describe("a code of RFC 6238, appendix B (its last six digits)", () => {
  test.each([
    [59, "287082", 0x1],
    [1_111_111_109, "081804", 0x23523ec],
    [1_111_111_111, "050471", 0x23523ed],
    [1_234_567_890, "005924", 0x273ef07],
    [2_000_000_000, "279037", 0x3f940aa],
    [20_000_000_000, "353130", 0x27bc86aa],
  ])("at %i seconds is %s, of the step %i", (seconds, code, step) => {
    expect(findTotpStep(secret, code, at(seconds))).toBe(step);
  });

  test.each([
    [-32, undefined],
    [-31, 0x23523ed],
    [-2, 0x23523ed],
    [29, 0x23523ed],
    [58, 0x23523ed],
    [59, undefined],
  ])("is judged %i seconds later by the same step, or not at all", (later, step) => {
    // 1,111,111,111 is one second after the beginning of its step.
    expect(findTotpStep(secret, "050471", at(1_111_111_111 + later))).toBe(step);
  });

  test.each(["", "28708", "2870822", "28708x", " 287082", "２８７０８２", "٢٨٧٠٨٢", "-87082", "1e5", "\0", "'; --"])(
    "is not %j",
    (code) => {
      expect(findTotpStep(secret, code, at(59))).toBeUndefined();
    },
  );
});

test("a secret has 160 bits in base32, and differs each time", () => {
  const secrets = Array.from({ length: 20 }, mintTotpSecret);
  for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/);
  expect(new Set(secrets).size).toBe(20);
});

test("the URI of an app names service and person, whatever characters they have", () => {
  const uri = new URL(toTotpUri(secret, { issuer: "crm.acme.example", account: "a&b=c%@x.example" }));
  expect([uri.protocol, uri.host]).toEqual(["otpauth:", "totp"]);
  expect(decodeURIComponent(uri.pathname)).toBe("/crm.acme.example:a&b=c%@x.example");
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: "crm.acme.example",
    secret,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});

describe("recovery codes", () => {
  const [code = "", ...others] = mintRecoveryCodes();

  test("are ten, each different, without letters that look alike", () => {
    expect(new Set([code, ...others]).size).toBe(10);
    for (const one of [code, ...others]) expect(one).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
  });

  test.each([
    ["in small letters", (text: string) => text.toLowerCase()],
    ["without hyphens", (text: string) => text.replaceAll("-", "")],
    ["with spaces", (text: string) => ` ${text.replaceAll("-", " ")}\n`],
    ["with look-alikes", (text: string) => text.replaceAll("0", "O").replaceAll("1", "l")],
  ])("are the same typed %s", (_how, typed) => {
    for (const one of [code, ...others]) expect(hashRecoveryCode(typed(one))).toBe(hashRecoveryCode(one));
  });

  test.each(["", "123456", code.slice(1), `${code}0`, code.replace(/^./, "U"), code.replace(/^./, "\0")])(
    "are not %j",
    (typed) => {
      expect(hashRecoveryCode(typed)).toBeUndefined();
    },
  );

  test("are stored as a hash", () => {
    expect(hashRecoveryCode(code)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashRecoveryCode(code)).not.toBe(hashRecoveryCode(others[0]!));
  });
});
