/** What `verify` accepts and refuses: what the service signs, and what Stripe's verifier accepts too. */
import { createHmac } from "node:crypto";
import { Stripe } from "stripe";
import { expect, test } from "vitest";
import { sign, toSigningKey } from "../../src/webhooks/signature.ts";
import { verify, WebhookError } from "../src/webhooks.ts";
import type { WebhookEvent } from "../src/webhooks.ts";

const secret = "whsec_0123456789abcdef";
const now = Date.UTC(2026, 2, 1, 12);
const seconds = now / 1000;
const event = { id: 42, event: "contact.created", created_at: "2026-03-01T12:00:00.000Z", data: { name: "Zoë 👋" } };
const body = JSON.stringify(event);
const signed = (text: string | Buffer = body, at = now) => sign(text, [toSigningKey(secret)], at);
const refusal = (header: string | null | undefined, text: string | Buffer = body, options: object = {}) =>
  verify(text, header, secret, { now, ...options }).then(
    () => "accepted",
    (error: unknown) => (error instanceof WebhookError ? error.code : String(error)),
  );

test.each<[what: string, rawBody: string | ArrayBuffer | Uint8Array]>([
  ["a text", body],
  ["a Buffer", Buffer.from(body)],
  ["an ArrayBuffer", new TextEncoder().encode(body).buffer as ArrayBuffer],
  ["a part of a larger buffer", Buffer.from(`__${body}__`).subarray(2, -2)],
])("the event of %s", async (_what, rawBody) => {
  expect(await verify(rawBody, signed(), secret, { now })).toEqual(event);
});

test("one secret of several, and one signature of two while a secret is rotated", async () => {
  expect(await verify(body, signed(), ["whsec_other", secret], { now })).toEqual(event);
  const both = sign(body, [toSigningKey("whsec_new"), toSigningKey(secret)], now);
  expect(await verify(body, both, secret, { now })).toEqual(event);
});

test("Stripe's verifier accepts the same header", () => {
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: seconds });
  return expect(refusal(header)).resolves.toBe("accepted");
});

const valid = signed();
const digits = valid.slice(valid.indexOf("v1=") + 3);
test.each<[what: string, header: string | null | undefined, code: string]>([
  ["no header", undefined, "missing"],
  ["no header of fetch", null, "missing"],
  ["an empty one", " ", "missing"],
  ["no time", `v1=${digits}`, "malformed"],
  ["two times", `t=${seconds},t=${seconds},v1=${digits}`, "malformed"],
  ["a time that is no number", `t=1e9,v1=${digits}`, "malformed"],
  ["an endless time", `t=${"9".repeat(400)},v1=${digits}`, "malformed"],
  ["no signature", `t=${seconds}`, "malformed"],
  ["a short signature", `t=${seconds},v1=${digits.slice(2)}`, "malformed"],
  ["another scheme", `t=${seconds},v0=${digits}`, "malformed"],
  ["another signature", `t=${seconds},v1=${"0".repeat(64)}`, "mismatch"],
  ["another time", `t=${seconds - 1},v1=${digits}`, "mismatch"],
  ["another secret", sign(body, [toSigningKey("whsec_")], now), "mismatch"],
  ["spaces between", `t=${seconds}, v1=${digits}`, "accepted"],
  ["five minutes ago", signed(body, now - 300_000), "accepted"],
  ["a second more", signed(body, now - 301_000), "too_old"],
  ["five minutes ahead", signed(body, now + 300_000), "accepted"],
  ["a second more ahead", signed(body, now + 301_000), "too_new"],
])("%s: %s", async (_what, header, code) => expect(await refusal(header)).toBe(code));

test.each<[what: string, text: string | Buffer, code: string]>([
  ["another body", body.replace("42", "43"), "mismatch"],
  ["the same JSON in other bytes", JSON.stringify(JSON.parse(body), null, 1), "mismatch"],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff]), "mismatch"],
])("%s: %s", async (_what, text, code) => expect(await refusal(valid, text)).toBe(code));

test.each(["{", "null", "[]", '"contact.created"', "{}", '{"event":1}'])("signed, but no event: %s", async (text) => {
  expect(await refusal(signed(text), text)).toBe("not_an_event");
});

test("the tolerance is the caller's, and an empty secret is never one", async () => {
  expect(await refusal(signed(body, now - 600_000), body, { tolerance: 600 })).toBe("accepted");
  const forged = `t=${seconds},v1=${createHmac("sha256", "").update(`${seconds}.${body}`).digest("hex")}`;
  await expect(verify(body, forged, "", { now })).rejects.toThrow(TypeError);
  await expect(verify(body, forged, [], { now })).rejects.toThrow(TypeError);
});

/** Compiles only if `event` says what `data` is. */
export function describe(received: WebhookEvent): string | null {
  switch (received.event) {
    case "contact.updated":
      return (received.data.changes ?? []).map(({ field }) => field).join();
    case "message.received":
      return received.data.body;
    default:
      // @ts-expect-error -- a body is not a member of every event
      return received.data.body;
  }
}
