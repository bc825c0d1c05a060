/** `verify`: a received webhook is checked and becomes a typed event. By Web Crypto, which Node, browsers, Deno, Bun and workers have. */
import type { EventsByName } from "./generated/events.ts";

export type { EventsByName } from "./generated/events.ts";
export type EventName = keyof EventsByName;
/** A discriminated union: `event` says what `data` is. A newer service may send events that it does not name. */
export type WebhookEvent = EventsByName[EventName];

/** The header with the signature. */
export const signatureHeader = "X-Service-Signature";

/** Why a request is refused: answer it with 400 or 401, and do nothing. */
export type WebhookFault = "missing" | "malformed" | "mismatch" | "too_old" | "too_new" | "not_an_event";

export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

export interface VerifyOptions {
  /** By how many seconds the timestamp may differ from the time here; 300 by default. */
  readonly tolerance?: number;
  /** Milliseconds; the time by default. */
  readonly now?: number;
}

type RawBody = string | ArrayBuffer | Uint8Array;
type Header = string | readonly string[] | null | undefined;
/** Several are for webhooks of several secrets at one address. */
type Secrets = string | readonly string[] | undefined;

/**
 * The event of a webhook whose signature is valid. `rawBody` is the body byte for byte, before anything parses it; `header` is
 * `X-Service-Signature`. Throws a WebhookError.
 */
export async function verify(
  rawBody: RawBody,
  header: Header,
  secret: Secrets,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  await verifySignature(rawBody, header, secret, options);
  return readEvent(toBytes(rawBody));
}

/** The same for what is signed and no event: a message for a gateway, and the requests of workflows. Throws a WebhookError. */
export async function verifySignature(
  rawBody: RawBody,
  header: Header,
  secret: Secrets,
  { tolerance = 300, now = Date.now() }: VerifyOptions = {},
): Promise<void> {
  const given = typeof header === "string" ? header : (header?.join() ?? "");
  if (given.trim() === "") throw new WebhookError("missing", `No signature: ${signatureHeader} is empty.`);
  const { time, signatures } = readHeader(given);
  const secrets = typeof secret === "string" ? [secret] : (secret ?? []);
  // An empty secret would be one that anyone can sign with.
  if (secrets.length === 0 || secrets.includes("")) throw new TypeError("The secret of the webhook is empty.");
  const body = toBytes(rawBody);
  const expected = await Promise.all(secrets.map((one) => signatureOf(`${time}.`, body, one)));
  if (!signatures.some((one) => expected.some((other) => isSame(one, other))))
    throw new WebhookError(
      "mismatch",
      "No signature in the header matches: the secret is wrong, or the body is not byte for byte what was sent.",
    );
  const age = Math.floor(now / 1000) - time;
  if (age > tolerance)
    throw new WebhookError("too_old", `The timestamp is ${age} seconds old; ${tolerance} are tolerated.`);
  if (-age > tolerance)
    throw new WebhookError("too_new", `The timestamp is ${-age} seconds ahead; ${tolerance} are tolerated.`);
}

function toBytes(body: RawBody): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
}

/** `t=<unix seconds>,v1=<64 hex digits>`, with two `v1` while a secret is rotated. */
function readHeader(header: string): { time: number; signatures: string[] } {
  const times: string[] = [];
  const signatures: string[] = [];
  for (const part of header.split(",")) {
    const [name, value = "", ...more] = part.trim().split("=");
    if (more.length > 0) continue;
    if (name === "t") times.push(value);
    if (name === "v1" && /^[0-9a-f]{64}$/.test(value)) signatures.push(value);
  }
  const [time = ""] = times;
  if (times.length !== 1 || !/^\d{1,12}$/.test(time) || signatures.length === 0)
    throw new WebhookError("malformed", "The header is malformed; its form is t=<unix seconds>,v1=<64 hex digits>.");
  return { time: Number(time), signatures };
}

async function signatureOf(prefix: string, body: Uint8Array, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const start = encoder.encode(prefix);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** In a time that does not depend on where they differ; both are 64 digits. */
function isSame(one: string, other: string): boolean {
  let difference = 0;
  for (let place = 0; place < one.length; place += 1) difference |= one.charCodeAt(place) ^ other.charCodeAt(place);
  return difference === 0;
}

function readEvent(body: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookError("not_an_event", "The body is signed, but is not JSON.");
  }
  if (typeof event !== "object" || event === null || typeof (event as { event?: unknown }).event !== "string")
    throw new WebhookError("not_an_event", "The body is signed, but is not an event.");
  return event as WebhookEvent;
}
