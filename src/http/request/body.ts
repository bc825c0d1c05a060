/** Reads a request body up to the limit; a request that is too large can still be responded to. */
import type { IncomingMessage } from "node:http";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Refusal } from "../../vocabulary/errors.ts";
import { Chunks } from "./chunks.ts";
import { readParameters } from "./parameters.ts";

/**
 * The bytes of the body. Refuses `payload_too_large` beyond `limit` bytes: by Content-Length before reading, else while
 * reading. It pauses and never destroys the request: that would close the socket before the response (and, with
 * listhen's shutdown hook, end the process).
 */
export function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  if (announcedLength(message) > limit) return Promise.reject(new Refusal("payload_too_large"));
  if (isWithoutBody(message)) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const chunks = new Chunks();

    function stop(): void {
      message.off("data", take).off("end", finish).off("error", fail).off("close", fail);
    }
    function take(chunk: Buffer): void {
      chunks.add(chunk);
      if (chunks.size <= limit) return;
      stop();
      message.pause();
      reject(new Refusal("payload_too_large"));
    }
    function finish(): void {
      stop();
      resolve(chunks.joined());
    }
    function fail(): void {
      stop();
      reject(clientGone());
    }
    message.on("data", take).on("end", finish).on("error", fail).on("close", fail);
  });
}

/** Whether the whole body arrived with the headers, as small ones do. Known a turn after the headers. */
function isInHand(message: IncomingMessage, limit: number): boolean {
  const length = announcedLength(message);
  return length > 0 && length <= limit && message.readableLength === length;
}

/**
 * The body if it has arrived with the headers, or there is none: what it names is looked up along with the credential. It is validated
 * later.
 */
export async function readArrived(message: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  // Data that arrived with the headers is emitted a turn later.
  await undefined;
  return isInHand(message, limit) || isWithoutBody(message) ? readBody(message, limit) : undefined;
}

/** Any type but multipart, whose boundaries would be stored with the file. */
const file = {
  name: "the file itself (curl --data-binary @FILE) or as a form (curl -F file=@FILE)",
  pattern: /^(?!multipart\/)/i,
};

/**
 * The body as a stream with backpressure; refused as in `requireMedia`. It fails with `payload_too_large` beyond
 * `limit` bytes. Destroying the stream does not destroy the request, which can still be responded to.
 */
export function streamBody(message: IncomingMessage, limit: number, { isForm = false } = {}): Readable {
  if (announcedLength(message) > limit) throw new Refusal("payload_too_large");
  if (isWithoutBody(message)) return Readable.from([]);
  requireMedia(message, isForm ? undefined : file);
  let size = 0;
  let ended = false;
  const body = new Readable({
    read: () => void message.resume(),
    destroy(error, done) {
      message.off("data", take).off("end", finish).off("error", fail).off("close", fail);
      message.pause();
      done(error);
    },
  });
  function take(chunk: Buffer): void {
    size += chunk.length;
    if (size > limit) body.destroy(new Refusal("payload_too_large"));
    else if (!body.push(chunk)) message.pause();
  }
  function finish(): void {
    ended = true;
    body.push(null);
  }
  /** Also if everything arrived but was not consumed: Node discards the rest once the client is gone. */
  function fail(): void {
    if (!ended) body.destroy(clientGone());
  }
  // A client may disconnect before anything reads: a later read reports it, and an unhandled error must not end the
  // process.
  body.on("error", () => {});
  message.pause();
  message.on("data", take).on("end", finish).on("error", fail).on("close", fail);
  return body;
}

/** Discards what is unread of a body: the next request of the connection comes after it. */
export function discardRest(message: IncomingMessage): void {
  message.removeAllListeners("data").resume();
}

/**
 * The bytes of such a stream, in pieces: copying many megabytes into one would block the event loop. Refuses `payload_too_large` beyond
 * `limit` bytes, before the stream's own limit.
 */
export async function readPieces(body: Readable, limit: number): Promise<readonly Buffer[]> {
  const chunks = new Chunks();
  // A pipe passes each chunk on as it is; iterating would join and copy those that are buffered.
  const collected = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.add(chunk);
      done(chunks.size > limit ? new Refusal("payload_too_large") : null);
    },
  });
  await pipeline(body, collected);
  return chunks.pieces();
}

function announcedLength(message: IncomingMessage): number {
  return Number(message.headers["content-length"] ?? 0);
}

function isWithoutBody(message: IncomingMessage): boolean {
  return announcedLength(message) === 0 && message.headers["transfer-encoding"] === undefined;
}

/** The client is gone. */
function clientGone(): Refusal {
  return new Refusal("bad_request");
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

const json = { name: "application/json", pattern: /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i };
const form = {
  name: "application/x-www-form-urlencoded",
  pattern: /^\s*application\/x-www-form-urlencoded\s*(;|$)/i,
};

/** The body as JSON; undefined if empty. Refuses `invalid_json`, and `unsupported_media_type` as in `requireMedia`. */
export function parseJson(message: IncomingMessage, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  requireMedia(message, json);
  try {
    const text = utf8.decode(bytes);
    return text.trim() === "" ? undefined : JSON.parse(text);
  } catch {
    throw new Refusal("invalid_json");
  }
}

/** The fields of a form, in order. Refuses `unsupported_media_type` as in `requireMedia`. */
export function parseForm(message: IncomingMessage, bytes: Buffer): URLSearchParams {
  if (bytes.length > 0) requireMedia(message, form);
  return readParameters(bytes.toString());
}

/**
 * Refuses `unsupported_media_type` for a compressed body and for another media type. A missing type counts as the
 * expected one.
 */
export function requireMedia({ headers }: IncomingMessage, wanted?: { name: string; pattern: RegExp }): void {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity") {
    throw new Refusal("unsupported_media_type", {
      message: "The body must be sent uncompressed, without a Content-Encoding.",
    });
  }
  const type = headers["content-type"]?.trim() ?? "";
  if (wanted === undefined || type === "" || wanted.pattern.test(type)) return;
  throw new Refusal("unsupported_media_type", { message: `The body must be sent as ${wanted.name}.` });
}
