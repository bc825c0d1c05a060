/** Opaque signed cursors: they carry the place in a list where the next page begins, and nobody but the service can make one. */
import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** The values of the keyset, in the order of the list's index. */
export type CursorPosition = (string | number | null)[];

export type Cursors = {
  /** `list` names the list and everything that decides its order and members (operation, location, filters). Numbers are finite. */
  encode(list: string, position: Readonly<CursorPosition>): string;
  /** The position, or undefined for anything that this service did not mint for this very list. */
  decode(list: string, cursor: string): CursorPosition | undefined;
};

const signatureLength = 16;

/** The first key signs, all of them are accepted, so that cursors in use survive a rotation of the keys. */
export function createCursors(signingKeys: readonly Buffer[]): Cursors {
  // Every page of a list passes here: made once, key objects sign five times faster than the bytes of a key.
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
      // Node skips characters that are not base64url; encoding again shows whether there were any.
      if (bytes.length <= signatureLength || bytes.toString("base64url") !== cursor) return undefined;
      const signature = bytes.subarray(0, signatureLength);
      const payload = bytes.subarray(signatureLength);
      if (!keys.some((key) => timingSafeEqual(sign(key, list, payload), signature))) return undefined;
      return JSON.parse(payload.toString("utf8")) as CursorPosition; // signed, so it is what encode wrote
    },
  };
}

// JSON never holds a raw NUL, so the last NUL parts the list's name from the payload: no two pairs sign alike.
function sign(key: KeyObject, list: string, payload: string | Buffer): Buffer {
  return createHmac("sha256", key).update(list).update("\0").update(payload).digest().subarray(0, signatureLength);
}

/** JSON writes NaN and Infinity as null, which would move the reader elsewhere in the list without a word. */
function refuseLoss(_key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`A cursor cannot carry ${value}: its numbers must be finite.`);
  }
  return value;
}
