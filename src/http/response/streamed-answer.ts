/** Streams a body: a failure before the first byte becomes an error response, a later one closes the connection. */
import { pipeline, Readable, Transform } from "node:stream";
import { TextPieces } from "../../kit/json/text-pieces.ts";
import type { HttpResponse, StreamedResponse } from "../http-response.ts";
import type { IncomingRequest } from "../request/incoming-request.ts";

export function isStreamed(answer: HttpResponse): answer is StreamedResponse {
  const { body } = answer;
  return typeof body === "object" && body !== null && !(body instanceof Uint8Array || body instanceof TextPieces);
}

/** Releases the resources of an unread stream (a file, a cursor). */
export function discardStream(body: StreamedResponse["body"]): void {
  // Destroying it may emit an error.
  toReadable(body)
    .on("error", () => {})
    .destroy();
}

interface StreamCallbacks {
  /** Called when the status was sent. */
  readonly begun: () => void;
  /** Called for a failure after that: the client only sees a truncated response. */
  readonly broke: (error: Error) => void;
}

/**
 * Resolves when everything is sent or the client is gone, which destroys the stream. Rejects with a failure before
 * anything was sent. It bypasses h3, which would respond with a bare 500 and so hide an early failure.
 */
export function sendStream(
  { status, headers, body }: StreamedResponse,
  { id, response }: IncomingRequest,
  { begun, broke }: StreamCallbacks,
): Promise<void> {
  if (response.destroyed) {
    discardStream(body);
    return Promise.resolve();
  }
  const announced = headers["content-length"];
  const counted = countBytes(announced === undefined ? undefined : Number(announced));
  return new Promise((resolve, reject) => {
    // Before pipeline sees it, which would report an error.
    response.once("close", () => {
      counted.destroy();
      resolve();
    });
    counted.once("readable", () => {
      response.writeHead(status, { ...headers, "x-request-id": id } as Record<string, string | string[]>);
      begun();
      pipeline(counted, response, () => {});
    });
    counted.on("error", (error) => {
      if (response.headersSent) broke(error);
      else reject(error);
    });
    pipeline(toReadable(body), counted, () => {});
  });
}

function toReadable(body: StreamedResponse["body"]): Readable {
  return body instanceof Readable ? body : Readable.fromWeb(body);
}

/**
 * Passes bytes through. Fails if they do not match the content-length: the client would parse the next response as part
 * of this one.
 */
function countBytes(announced: number | undefined): Transform {
  let size = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length;
      if (announced === undefined || size <= announced) done(null, piece);
      else done(new Error(`a streamed answer has more than the ${announced} bytes of its content-length`));
    },
    flush(done) {
      if (announced === undefined || size === announced) done();
      else done(new Error(`a streamed answer has ${size} bytes, and ${announced} by its content-length`));
    },
  });
}
