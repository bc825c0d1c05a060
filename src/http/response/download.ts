/** A file made while it is sent: with backpressure, and in time slices, so that other requests are not kept waiting. */
import { Readable } from "node:stream";
import { inSlice } from "../../kit/waiting/time-slice.ts";
import { TooManyRequests } from "../../vocabulary/errors.ts";
import type { ResponseHeaders, StreamedResponse } from "../http-response.ts";

interface File {
  /** In ASCII, without quotes. */
  readonly name: string;
  readonly content: AsyncGenerator<Uint8Array>;
}

interface Sent {
  readonly contentType: string;
  /** Of the fair queue of slices: the API key or person. */
  readonly holder: string;
  readonly headers: ResponseHeaders;
}

/** The most files that this process sends to a holder at a time: each holds a compressor and a page of records until its client has read all of it. */
export const mostDownloads = 4;

/** Retry-After in seconds. */
const comeAgain = 5;

/** Holder → the number of files that are being sent to it. */
const sending = new Map<string, number>();

/** Refuses with TooManyRequests while `mostDownloads` are being sent to the holder. */
export function downloadAnswer({ name, content }: File, { contentType, holder, headers }: Sent): StreamedResponse {
  const begun = sending.get(holder) ?? 0;
  if (begun >= mostDownloads) throw new TooManyRequests(comeAgain);
  sending.set(holder, begun + 1);
  const body = Readable.from(sliced(content, holder), { objectMode: false });
  // Also when the client leaves, or a failure ends it.
  body.once("close", () => {
    const left = sending.get(holder)! - 1;
    if (left === 0) sending.delete(holder);
    else sending.set(holder, left);
  });
  return {
    status: 200,
    headers: {
      ...headers,
      "content-type": contentType,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
    body,
  };
}

async function* sliced(content: AsyncGenerator<Uint8Array>, holder: string): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { value, done } = await inSlice(holder, () => content.next());
      if (done === true) return;
      yield value;
    }
  } finally {
    await content.return(undefined);
  }
}
