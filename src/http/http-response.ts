/** An HTTP response: status, headers, and a body as text, bytes or a stream. */
import type { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { TextPieces } from "../kit/json/text-pieces.ts";

/** By lower-case name; a repeated header (`set-cookie`) has a list of values. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

export interface WholeResponse extends ResponseHead {
  readonly body: string | TextPieces | Uint8Array<ArrayBuffer> | null;
  /**
   * Whether its length may depend on its content (response/compression.ts): for requests of this site alone, as of pages, whose cookie any
   * site makes a browser send; or always, as with a credential that the client adds itself. Undefined: it is never compressed.
   */
  readonly compressible?: "for-this-site" | "always" | undefined;
}

/** Its body is streamed with backpressure. A `content-length` must match the number of bytes. */
export interface StreamedResponse extends ResponseHead {
  readonly body: Readable | ReadableStream;
}

export type HttpResponse = WholeResponse | StreamedResponse;

/** A response with a text body and single-valued headers. */
export interface TextResponse<Text extends string | TextPieces = string> extends WholeResponse {
  readonly body: Text | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A JSON response; `text` is the JSON. */
export function jsonResponse<Text extends string | TextPieces = string>(
  status: number,
  text: Text | null,
  headers: Record<string, string> = {},
): TextResponse<Text> {
  if (text === null) return { status, body: null, headers };
  return { status, body: text, headers: { ...headers, "content-type": "application/json; charset=utf-8" } };
}
