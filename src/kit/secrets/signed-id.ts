/** Tokens that name a record and that only this service can issue (HMAC): for links that need no credential and no row of their own. */
import { createHmac, timingSafeEqual } from "node:crypto";

export interface SignedIds {
  /** A token for URLs. `purpose`: a token of one purpose is worthless for another. */
  sign(purpose: string, id: number): string;
  /** The id; undefined for a token that this service did not issue for the purpose. */
  verify(purpose: string, token: string): number | undefined;
}

const form = /^([1-9]\d{0,15})-([\w-]{22})$/;

/** The first key signs, all keys verify, so that tokens survive a rotation of the keys. */
export function createSignedIds(keys: readonly Buffer[]): SignedIds {
  const [newest] = keys;
  if (newest === undefined) throw new Error("At least one signing key is needed.");
  return {
    sign: (purpose, id) => `${id}-${macOf(newest, purpose, String(id))}`,
    verify(purpose, token) {
      const [, id, mac] = form.exec(token) ?? [];
      if (id === undefined || mac === undefined) return undefined;
      const isOurs = keys.some((key) => timingSafeEqual(Buffer.from(macOf(key, purpose, id)), Buffer.from(mac)));
      return isOurs ? Number(id) : undefined;
    },
  };
}

/** 128 bits in base64url. */
function macOf(key: Buffer, purpose: string, id: string): string {
  return createHmac("sha256", key).update(`${purpose}\0${id}`).digest().subarray(0, 16).toString("base64url");
}
