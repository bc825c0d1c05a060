/** Our signatures, judged by Stripe's own verifier and by ours. */
import { randomBytes } from "node:crypto";
import { Stripe } from "stripe";
import { describe, expect, it, test } from "vitest";
import { mintHookSecret } from "../../src/webhooks/hooks/hook-secret.ts";
import { findSignatureFault, sign, toSigningKey } from "../../src/webhooks/signature.ts";

const secret = mintHookSecret();
const old = mintHookSecret();
const body = '{"id":1,"event":"contact.created","created_at":"2026-03-01T12:00:00.000Z","data":{"name":"Zoë 😀"}}';
const now = Date.parse("2026-03-01T12:00:00.999Z");
const header = sign(body, [toSigningKey(secret)], now);

function judge(given: Partial<Parameters<typeof findSignatureFault>[0]> & { text?: string }): string | undefined {
  const { text = body, ...more } = given;
  return findSignatureFault({ header, body: Buffer.from(text), secret, now, toleranceSeconds: 300, ...more });
}

/** What Stripe's library says. */
function stripeSays(text: string, given: string, key: string, receivedAt = now): string {
  try {
    const event = Stripe.webhooks.constructEvent(text, given, key, 300, undefined, receivedAt) as unknown;
    return JSON.stringify(event) === JSON.stringify(JSON.parse(text)) ? "valid" : "another event";
  } catch (error) {
    return (error as Error).message;
  }
}

test("the form of the specification", () => expect(header).toMatch(/^t=1772366400,v1=[0-9a-f]{64}$/));

describe("Stripe's verifier", () => {
  it("takes ours", () => expect(stripeSays(body, header, secret)).toBe("valid"));
  it("takes both of a rotation", () => {
    const both = sign(body, [toSigningKey(secret), toSigningKey(old)], now);
    expect([stripeSays(body, both, secret), stripeSays(body, both, old)]).toEqual(["valid", "valid"]);
  });
  it("refuses another secret", () => expect(stripeSays(body, header, old)).toMatch(/No signatures found/));
  it("refuses a changed byte", () =>
    expect(stripeSays(body.replace("1", "2"), header, secret)).toMatch(/No signatures found/));
  it("refuses an old time", () => expect(stripeSays(body, header, secret, now + 302_000)).toMatch(/tolerance/));
});

describe("our verifier", () => {
  test.each<[what: string, given: Parameters<typeof judge>[0], fault: RegExp | undefined]>([
    ["what we sign", {}, undefined],
    ["an empty body that was signed", { text: "", header: sign("", [toSigningKey(secret)], now) }, undefined],
    ["an empty body that was not", { text: "" }, /No signature in the header matches/],
    ["another secret", { secret: old }, /No signature in the header matches/],
    ["a changed byte", { text: body.replace("Zoë", "Zoe") }, /No signature in the header matches/],
    ["the end of its time", { now: now + 300_000 }, undefined],
    ["a second later", { now: now + 301_000 }, /too old: 301 seconds, and 300 are tolerated/],
    ["a clock that is behind", { now: now - 300_000 }, undefined],
    ["a clock that is further behind", { now: now - 301_000 }, /too new: 301 seconds ahead/],
    ["no header", { header: undefined }, /No signature: /],
    ["an empty header", { header: " " }, /No signature: /],
    ["words", { header: "signature" }, /malformed/],
    ["no time", { header: header.replace(/^t=\d+,/, "") }, /malformed/],
    ["two times", { header: `t=1,${header}` }, /malformed/],
    ["a time that is none", { header: header.replace(/\d+/, "soon") }, /malformed/],
    ["no v1", { header: header.replace("v1", "v0") }, /malformed/],
    ["a short v1", { header: header.slice(0, -1) }, /malformed/],
    ["upper case", { header: header.toUpperCase() }, /malformed/],
    ["blanks and other versions", { header: `${header.replace(",", " , ")}, v0=x` }, undefined],
    ["a wrong one before ours", { header: header.replace("v1=", `v1=${"0".repeat(64)},v1=`) }, undefined],
  ])("%s", (_what, given, fault) => {
    if (fault === undefined) expect(judge(given)).toBeUndefined();
    else expect(judge(given)).toMatch(fault);
  });

  it("takes any bytes", () => {
    const bytes = randomBytes(100_000);
    expect(judge({ text: bytes.toString("latin1") })).toMatch(/No signature/);
    const signed = sign(bytes, [toSigningKey(secret)], now);
    expect(findSignatureFault({ header: signed, body: bytes, secret, now, toleranceSeconds: 300 })).toBeUndefined();
  });
});
