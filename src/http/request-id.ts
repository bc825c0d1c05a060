/** Names for requests: 96 random bits each, as 16 characters. */
import { randomFillSync } from "node:crypto";

const idBytes = 12;

/** Random bytes for many ids: asking the system for each of them would cost as much as a small look-up. */
const pool = Buffer.alloc(idBytes * 256);
let used = pool.length;

export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.toString("base64url", used - idBytes, used);
}
