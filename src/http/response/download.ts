/** A file made while it is sent: with backpressure, and in time slices, so that other requests are not kept waiting. */
import { Readable } from "node:stream";
import { inSlice } from "../../kit/waiting/time-slice.ts";
import type { ResponseHeaders, StreamedResponse } from "../http-response.ts";

interface File {
  /** In ASCII, without quotes. */
  readonly name: string;
  readonly content: AsyncGenerator<Uint8Array>;
}

interface Sent {
  readonly contentType: string;
  /** Of the fair queue of slices. */
  readonly holder: string;
  readonly headers: ResponseHeaders;
}

export function downloadAnswer({ name, content }: File, { contentType, holder, headers }: Sent): StreamedResponse {
  return {
    status: 200,
    headers: {
      ...headers,
      "content-type": contentType,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
    body: Readable.from(sliced(content, holder), { objectMode: false }),
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
