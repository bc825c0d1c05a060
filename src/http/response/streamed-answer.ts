/** Sends a body as it comes: what fails before its first byte is answered, what fails later ends the connection. */
import { pipeline, Readable, Transform } from "node:stream";
import type { Answer, StreamedAnswer } from "../answer.ts";
import type { IncomingRequest } from "../request/incoming-request.ts";

export function isStreamed(answer: Answer): answer is StreamedAnswer {
  const { body } = answer;
  return typeof body === "object" && body !== null && !(body instanceof Uint8Array);
}

/** Lets go of what a stream holds (a file, a cursor) where nobody reads it. */
export function leaveStream(body: StreamedAnswer["body"]): void {
  // Whoever made it may hear of that as an error.
  toReadable(body)
    .on("error", () => {})
    .destroy();
}

interface StreamCallbacks {
  /** The status is on its way. */
  readonly begun: () => void;
  /** What went wrong after that: the client learns only that its answer is not whole. */
  readonly broke: (error: Error) => void;
}

/**
 * Resolves when all is sent or the client is gone, which destroys the stream. Rejects with what went wrong before anything was
 * sent. h3 is not asked: it would answer that with a bare 500, and so would lose what is wrong in the first moment.
 */
export function sendStream(
  { status, headers, body }: StreamedAnswer,
  { id, response }: IncomingRequest,
  { begun, broke }: StreamCallbacks,
): Promise<void> {
  if (response.destroyed) {
    leaveStream(body);
    return Promise.resolve();
  }
  const announced = headers["content-length"];
  const counted = countBytes(announced === undefined ? undefined : Number(announced));
  return new Promise((resolve, reject) => {
    // Before pipeline hears of it, which would call it an error.
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

function toReadable(body: StreamedAnswer["body"]): Readable {
  return body instanceof Readable ? body : Readable.fromWeb(body);
}

/** Passes bytes on. It fails when they are not as many as announced: whoever reads would take the next answer for a part of this one. */
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
