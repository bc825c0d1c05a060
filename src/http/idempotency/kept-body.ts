/** How the body of an answer is kept under an Idempotency-Key: as it is while it is small, compressed beyond, and never without bound. */
import { promisify } from "node:util";
import { constants, deflate, inflate } from "node:zlib";

/** Characters of a body that is kept as it is. */
const plainLength = 64 << 10;
/** Characters of a body that is kept compressed: as much as a request that brings its own text may leave behind. */
const packedLength = 256 << 10;

/** Kept instead of a body that is too large even so. Bodies are JSON, and none begins with these letters. */
const tooLarge = "none";
const packed = "deflate:";

/** What to keep of `body`. Compressing is done off the event loop. */
export async function packBody(body: string): Promise<string> {
  if (body.length <= plainLength) return body;
  const bytes = await promisify(deflate)(body, { level: constants.Z_BEST_SPEED });
  const kept = packed + bytes.toString("base64");
  return kept.length <= packedLength ? kept : tooLarge;
}

/** The body of which `packBody` kept this; undefined where it was too large. */
export async function unpackBody(kept: string): Promise<string | undefined> {
  if (kept === tooLarge) return undefined;
  if (!kept.startsWith(packed)) return kept;
  return (await promisify(inflate)(Buffer.from(kept.slice(packed.length), "base64"))).toString();
}
