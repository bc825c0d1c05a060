/** An HTTP response: status, headers, and a body as text, bytes or a stream. */
import type { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** By lower-case name; a repeated header (`set-cookie`) has a list of values. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
}

export interface WholeAnswer extends AnswerHead {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** Its body is streamed with backpressure. A `content-length` must match the number of bytes. */
export interface StreamedAnswer extends AnswerHead {
  readonly body: Readable | ReadableStream;
}

export type Answer = WholeAnswer | StreamedAnswer;

/** A response with a text body and single-valued headers. */
export interface TextAnswer extends WholeAnswer {
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A JSON response; `text` is the JSON. */
export function jsonAnswer(status: number, text: string | null, headers: Record<string, string> = {}): TextAnswer {
  if (text === null) return { status, body: null, headers };
  return { status, body: text, headers: { ...headers, "content-type": "application/json; charset=utf-8" } };
}
