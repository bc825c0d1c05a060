/** An answer on its way out: its status, its headers, and its body as text, as bytes, or as a stream of them. */
import type { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** By lower-case name; a header that is sent several times (`set-cookie`) has a list of values. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
}

export interface WholeAnswer extends AnswerHead {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** Its body is sent as it comes, no faster than the client takes it. With a `content-length` it must have just that many bytes. */
export interface StreamedAnswer extends AnswerHead {
  readonly body: Readable | ReadableStream;
}

export type Answer = WholeAnswer | StreamedAnswer;

/** An answer whose body is text, and whose headers have one value each. */
export interface TextAnswer extends WholeAnswer {
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer whose body is JSON. `text` is that JSON. */
export function jsonAnswer(status: number, text: string | null, headers: Record<string, string> = {}): TextAnswer {
  if (text === null) return { status, body: null, headers };
  return { status, body: text, headers: { ...headers, "content-type": "application/json; charset=utf-8" } };
}
