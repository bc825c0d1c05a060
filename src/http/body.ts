/** Reads a request's body, never more than the limit, and leaves a request that is too large in a state to be answered. */
import type { IncomingMessage } from "node:http";
import { Refusal } from "../vocabulary/errors.ts";

/**
 * The body's bytes. Refuses `payload_too_large` beyond `limit` bytes: by Content-Length before reading, else as soon
 * as they have come. It pauses and never destroys or cancels the request: that would take the socket from under the
 * answer (and, with listhen's shutdown hook, end the process).
 */
export function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(message.headers["content-length"] ?? 0);
  if (announced > limit) return Promise.reject(new Refusal("payload_too_large"));
  if (announced === 0 && message.headers["transfer-encoding"] === undefined) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;

    function stop(): void {
      message.off("data", take).off("end", finish).off("error", fail).off("close", fail);
    }
    function take(chunk: Buffer): void {
      size += chunk.length;
      if (size > limit) {
        stop();
        message.pause();
        reject(new Refusal("payload_too_large"));
        return;
      }
      chunks.push(chunk);
    }
    function finish(): void {
      stop();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    }
    /** The client went away; nobody will read the answer. */
    function fail(): void {
      stop();
      reject(new Refusal("invalid_json"));
    }
    message.on("data", take).on("end", finish).on("error", fail).on("close", fail);
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The body as JSON; undefined when it is empty. Refuses `unsupported_media_type` for a type that is named and is not
 * JSON (a missing Content-Type is read as JSON), and `invalid_json`.
 */
export function parseJson(contentType: string | undefined, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (
    contentType !== undefined &&
    contentType.trim() !== "" &&
    !/^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType)
  ) {
    throw new Refusal("unsupported_media_type");
  }
  try {
    const text = utf8.decode(bytes);
    return text.trim() === "" ? undefined : JSON.parse(text);
  } catch {
    throw new Refusal("invalid_json");
  }
}
