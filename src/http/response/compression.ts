/** Compresses a page that is made for one request, where this reveals nothing of it. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { showsSecret } from "../../kit/secrets/secret.ts";
import type { WholeResponse } from "../http-response.ts";
import { chooseCoding } from "../request/accept-encoding.ts";
import type { IncomingRequest } from "../request/incoming-request.ts";

const compressGzip = promisify(gzip);

/** A quarter of the size in a quarter of a millisecond; slower levels gain a few percent. */
const level = 3;

/** Shorter bodies do not become smaller packets. */
const leastLength = 1024;

/** Compressions at once. Beyond, a response is sent as it is: no request waits, and other work keeps its threads. */
const mostAtOnce = 2;

let running = 0;

/**
 * BREACH: the length of a compressed page reveals its form token, if another site can make a browser request it again and again with text of
 * its choice. Therefore only requests that this site or the person made are compressed (`Sec-Fetch-Site`), and no page that shows a secret.
 */
export async function compressResponse(response: WholeResponse, request: IncomingRequest): Promise<WholeResponse> {
  const { body, headers } = response;
  if (typeof body !== "string" || body.length < leastLength || showsSecret(body)) return response;
  const varying = { ...headers, vary: [headers["vary"] ?? [], "accept-encoding", "sec-fetch-site"].flat().join(", ") };
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isAccepted = chooseCoding(request.header("accept-encoding"), ["gzip"]) === "gzip";
  if (!isRead || !isAccepted || !isOfThisSite(request) || running >= mostAtOnce)
    return { ...response, headers: varying };
  running += 1;
  try {
    const bytes = Uint8Array.from(await compressGzip(body, { level }));
    return { ...response, body: bytes, headers: { ...varying, "content-encoding": "gzip" } };
  } finally {
    running -= 1;
  }
}

/** A browser that does not send the header gets the page as it is. */
function isOfThisSite(request: IncomingRequest): boolean {
  const from = request.header("sec-fetch-site");
  return from === "same-origin" || from === "none";
}
