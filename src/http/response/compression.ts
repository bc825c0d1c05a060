/** Compresses responses that are made for one request, where their length reveals nothing (BREACH): which, how, and how many at once. */
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from "node:zlib";
import type { ContentCoding } from "../../kit/input/content-codings.ts";
import { showsSecret } from "../../kit/secrets/secret.ts";
import type { WholeResponse } from "../http-response.ts";
import { chooseCoding } from "../request/accept-encoding.ts";
import type { IncomingRequest } from "../request/incoming-request.ts";
import { TextPieces } from "../../kit/json/text-pieces.ts";
import { tagOfCoding } from "../request/preconditions.ts";

/** Shorter bodies do not become fewer packets. */
export const leastLength = 1024;

/** In characters. Up to here a thread costs more than the compression, which takes 60 microseconds. */
const mostInPlace = 16_384;

/** Compressions in threads at once. Beyond, a response is sent as it is: no request waits, and other work keeps its threads. */
const mostAtOnce = 2;

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const quick = { level: 1 };

/** In bytes: by default, zlib allocates 16 KiB for the result of a short text, and zstd 128, besides windows of the largest size. */
const shortChunk = 4096;
const shortGzip = { ...quick, chunkSize: shortChunk, windowBits: 14, memLevel: 7 };
const shortBrotli = {
  chunkSize: shortChunk,
  params: { ...brotli.params, [constants.BROTLI_PARAM_LGWIN]: 14 },
};

/** The levels where more time saves little more (docs/adr/0078). */
const coders = {
  zstd: {
    inPlace(text: string) {
      const bytes = Buffer.from(text);
      return zstdCompressSync(bytes, { ...zstd, chunkSize: shortChunk, pledgedSrcSize: bytes.length });
    },
    inThread: (text: string | Buffer) => inThread.zstd(text, zstd),
  },
  gzip: {
    inPlace: (text: string) => gzipSync(text, shortGzip),
    inThread: (text: string | Buffer) => inThread.gzip(text, quick),
  },
  br: {
    inPlace: (text: string) => brotliCompressSync(text, shortBrotli),
    inThread: (text: string | Buffer) => inThread.br(text, brotli),
  },
} as const;
const inThread = { zstd: promisify(zstdCompress), gzip: promisify(gzip), br: promisify(brotliCompress) };

export type Compress = (
  response: WholeResponse,
  request: Pick<IncomingRequest, "method" | "header">,
) => WholeResponse | Promise<WholeResponse>;

/** `codings`: those that the service offers, the preferred one first; none: every response is sent as it is. */
export function createResponseCompression(codings: readonly ContentCoding[]): Compress {
  // Pages keep the one coding that every browser knows.
  const ofPages = codings.filter((coding) => coding === "gzip");
  let running = 0;

  return (response, request) => {
    const { body, compressible, headers } = response;
    const offered = compressible === "for-this-site" ? ofPages : codings;
    if (compressible === undefined || offered.length === 0) return response;
    const isLong = body instanceof TextPieces || (typeof body === "string" && body.length >= leastLength);
    if (compressible === "for-this-site") {
      if (!isLong || showsSecret(String(body))) return response;
      const plain = { ...response, headers: varying(response, "accept-encoding", "sec-fetch-site") };
      return isRead(request) && isOfThisSite(request) ? compress(plain, body) : plain;
    }
    // A short one as well, and a 304: the record may be longer the next time.
    const plain = { ...response, headers: varying(response, "accept-encoding") };
    return isLong ? compress(plain, body) : plain;

    function compress(plain: WholeResponse, text: string | TextPieces): WholeResponse | Promise<WholeResponse> {
      const coding = chooseCoding(request.header("accept-encoding"), offered);
      if (coding === undefined) return plain;
      const coded = (bytes: Buffer): WholeResponse => ({
        ...plain,
        body: new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length),
        headers: {
          ...plain.headers,
          ...(typeof headers["etag"] === "string" ? { etag: tagOfCoding(headers["etag"], coding) } : {}),
          "content-encoding": coding,
        },
      });
      if (typeof text === "string" && text.length <= mostInPlace) return coded(coders[coding].inPlace(text));
      if (running >= mostAtOnce) return plain;
      running += 1;
      return coders[coding]
        .inThread(text instanceof TextPieces ? text.toBuffer() : text)
        .then(coded)
        .finally(() => (running -= 1));
    }
  };
}

function varying({ headers }: WholeResponse, ...names: string[]): WholeResponse["headers"] {
  return { ...headers, vary: [headers["vary"] ?? [], ...names].flat().join(", ") };
}

function isRead({ method }: Pick<IncomingRequest, "method">): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * The length of a compressed page reveals its form token, if another site can make a browser request it again and again with text of its
 * choice. Scripts cannot set `Sec-Fetch-Site`; a browser that does not send it gets the page as it is.
 */
function isOfThisSite(request: Pick<IncomingRequest, "header">): boolean {
  const from = request.header("sec-fetch-site");
  return from === "same-origin" || from === "none";
}
