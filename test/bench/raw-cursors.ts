/** The cursors of the raw limit: a place in a list, signed together with the list. */
import { createHmac, createSecretKey } from "node:crypto";
import type { KeyObject } from "node:crypto";

type Position = readonly number[];

export class RawCursors {
  readonly #key: KeyObject;

  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  write(list: string, position: Position): string {
    const payload = JSON.stringify(position);
    return Buffer.concat([this.#sign(list, payload), Buffer.from(payload)]).toString("base64url");
  }

  read(list: string, cursor: string): Position {
    const bytes = Buffer.from(cursor, "base64url");
    const payload = bytes.toString("utf8", 16);
    if (!this.#sign(list, payload).equals(bytes.subarray(0, 16))) throw new Error("a cursor that was not given out");
    return JSON.parse(payload);
  }

  #sign(list: string, payload: string): Buffer {
    return createHmac("sha256", this.#key).update(`${list}\0${payload}`).digest().subarray(0, 16);
  }
}
