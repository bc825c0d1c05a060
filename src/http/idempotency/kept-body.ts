/** Packs a response body for storage: as is while small, compressed beyond, and up to a limit. */
import { promisify } from "node:util";
import { constants, deflate, inflate } from "node:zlib";

/** Maximum characters of an uncompressed body. */
const plainLength = 64 << 10;
/** Maximum characters of a compressed body: as much as a request that brings its own text may leave behind. */
const packedLength = 256 << 10;

/** Stored in place of a body that is too large. Bodies are JSON, which never begins with these letters. */
const tooLarge = "none";
/** Stored in place of a body that is dropped. */
export const droppedBody = tooLarge;
const packed = "deflate:";

/** The stored form of `body`. Compression runs off the event loop. */
export async function packBody(body: string): Promise<string> {
  if (body.length <= plainLength) return body;
  const bytes = await promisify(deflate)(body, { level: constants.Z_BEST_SPEED });
  const kept = packed + bytes.toString("base64");
  return kept.length <= packedLength ? kept : tooLarge;
}

/** Reverses `packBody`; undefined if the body was too large. */
export async function unpackBody(kept: string): Promise<string | undefined> {
  if (kept === tooLarge) return undefined;
  if (!kept.startsWith(packed)) return kept;
  return (await promisify(inflate)(Buffer.from(kept.slice(packed.length), "base64"))).toString();
}
