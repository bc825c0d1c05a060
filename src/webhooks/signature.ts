/**
 * The signature of a delivery, `t=<unix seconds>,v1=<hex>` (specification, "Delivery"): HMAC SHA-256 over `<t>.<body>`,
 * keyed with the whole secret as UTF-8. Compatible with Stripe's own verifier.
 */
import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { KeyObject } from "node:crypto";

export function toSigningKey(secret: string): KeyObject {
  return createSecretKey(secret, "utf8");
}

/** The header for `body`, with one `v1` per key. `at` in milliseconds. */
export function sign(body: string | Buffer, keys: readonly KeyObject[], at: number): string {
  const seconds = Math.floor(at / 1000);
  return `t=${seconds}${keys.map((key) => `,v1=${digest(seconds, body, key)}`).join("")}`;
}

function digest(seconds: number, body: string | Buffer, key: KeyObject): string {
  return createHmac("sha256", key).update(`${seconds}.`).update(body).digest("hex");
}

interface Received {
  /** The received header; undefined if missing. */
  readonly header: string | undefined;
  /** The received bytes. */
  readonly body: Buffer;
  readonly secret: string;
  /** Milliseconds. */
  readonly now: number;
  /** Tolerance of the timestamp in seconds. */
  readonly toleranceSeconds: number;
}

/** Undefined for a valid signature; else a sentence about the failed check. */
export function findSignatureFault({ header, body, secret, now, toleranceSeconds }: Received): string | undefined {
  if (header === undefined || header.trim() === "") return "No signature: X-Service-Signature is empty.";
  const [stamps, signatures] = readHeader(header);
  const seconds = stamps.length === 1 && /^\d{1,12}$/.test(stamps[0]!) ? Number(stamps[0]) : undefined;
  const given = signatures.filter((signature) => /^[0-9a-f]{64}$/.test(signature));
  if (seconds === undefined || given.length === 0)
    return "The header is malformed; its form is t=<unix seconds>,v1=<64 hex digits>.";
  const expected = Buffer.from(digest(seconds, body, toSigningKey(secret)), "hex");
  if (!given.some((signature) => timingSafeEqual(Buffer.from(signature, "hex"), expected)))
    return "No signature in the header matches: the secret is wrong, or the body is not byte for byte what was sent.";
  const age = Math.floor(now / 1000) - seconds;
  if (age > toleranceSeconds) return `The timestamp is too old: ${age} seconds, and ${toleranceSeconds} are tolerated.`;
  if (-age > toleranceSeconds)
    return `The timestamp is too new: ${-age} seconds ahead, and ${toleranceSeconds} are tolerated.`;
  return undefined;
}

/** The values of `t` and of `v1`, in order. */
function readHeader(header: string): [stamps: string[], signatures: string[]] {
  const parts = header.split(",").map((part) => part.trim().split("="));
  const valuesOf = (name: string): string[] =>
    parts.flatMap(([key, value, ...more]) => (key === name && value !== undefined && more.length === 0 ? [value] : []));
  return [valuesOf("t"), valuesOf("v1")];
}
