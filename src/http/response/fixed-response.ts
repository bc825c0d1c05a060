/** A body that does not change while the process runs: compressed once, and validated by its ETag. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { ResponseHeaders, WholeResponse } from "../http-response.ts";
import { chooseCoding } from "../request/accept-encoding.ts";
import type { IncomingRequest } from "../request/incoming-request.ts";
import { findKnownTag, hashRepresentation, readEntityTags, tagOfCoding } from "../request/preconditions.ts";
import { leastLength } from "./compression.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Levels for what is compressed once: most of the gain of the slowest level, in a tenth of its time. */
const coders = {
  br: (plain: Bytes) => compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (plain: Bytes) => compressGzip(plain, { level: 9 }),
} as const;

const codings = ["br", "gzip"] as const;

export type FixedResponse = (request: IncomingRequest) => Promise<WholeResponse>;

/** Serves `text`. Each coding is made when it is first requested; requests at the same time share the work. */
export function createFixedResponse(text: string, headers: ResponseHeaders): FixedResponse {
  const plain = Uint8Array.from(Buffer.from(text));
  const hash = hashRepresentation(text);
  const coded = new Map<string, Promise<Bytes>>();
  const own = { "cache-control": "no-cache", vary: "accept-encoding", ...headers };
  return async (request) => {
    const coding = plain.length < leastLength ? undefined : chooseCoding(request.header("accept-encoding"), codings);
    // Each coding is a representation of its own (RFC 9110, 8.8.3.3).
    const etag = coding === undefined ? `"${hash}"` : tagOfCoding(`"${hash}"`, coding);
    if (isKnown(request.header("if-none-match"), `"${hash}"`))
      return { status: 304, body: null, headers: { ...own, etag } };
    if (coding === undefined) return { status: 200, body: plain, headers: { ...own, etag } };
    const body = coded.get(coding) ?? coders[coding](plain).then((bytes) => Uint8Array.from(bytes));
    coded.set(coding, body);
    return { status: 200, body: await body, headers: { ...own, etag, "content-encoding": coding } };
  };
}

/** Whether the client has the text, in any coding. */
function isKnown(header: string | undefined, tag: string): boolean {
  const noneMatch = header === undefined ? undefined : readEntityTags(header);
  return findKnownTag({ match: undefined, noneMatch }, tag) !== undefined;
}
