/**
 * Opaque signed cursors for keyset pagination: each carries the position where the next page begins, and clients cannot
 * forge one.
 */
import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** The values of the keyset, in the order of the list's index. */
export type CursorPosition = (string | number | null)[];

export type Cursors = {
  /** `list` identifies the list with its order and members (operation, location, filters). Numbers must be finite. */
  encode(list: string, position: Readonly<CursorPosition>): string;
  /** The position; undefined for a cursor that this service did not issue for this list. */
  decode(list: string, cursor: string): CursorPosition | undefined;
};

const signatureLength = 16;

/** The first key signs, all keys verify, so that cursors survive a rotation of the keys. */
export function createCursors(signingKeys: readonly Buffer[]): Cursors {
  // On the path of every list: a prepared key object signs five times faster than raw key bytes.
  const keys = signingKeys.map((key) => createSecretKey(key));
  const [newest] = keys;
  if (newest === undefined) throw new Error("At least one signing key is needed.");

  return {
    encode(list, position) {
      const payload = JSON.stringify(position, refuseLoss);
      return Buffer.concat([sign(newest, list, payload), Buffer.from(payload, "utf8")]).toString("base64url");
    },

    decode(list, cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      // Node ignores characters outside base64url; encoding again reveals them.
      if (bytes.length <= signatureLength || bytes.toString("base64url") !== cursor) return undefined;
      const signature = bytes.subarray(0, signatureLength);
      const payload = bytes.subarray(signatureLength);
      if (!keys.some((key) => timingSafeEqual(sign(key, list, payload), signature))) return undefined;
      return JSON.parse(payload.toString("utf8")) as CursorPosition; // signed, so encode wrote it
    },
  };
}

// JSON contains no raw NUL, so the last NUL separates the list's name from the payload: no two pairs produce the same
// input.
function sign(key: KeyObject, list: string, payload: string | Buffer): Buffer {
  return createHmac("sha256", key).update(list).update("\0").update(payload).digest().subarray(0, signatureLength);
}

/** JSON turns NaN and Infinity into null, which would silently move the reader elsewhere in the list. */
function refuseLoss(_key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`A cursor cannot carry ${value}: its numbers must be finite.`);
  }
  return value;
}
