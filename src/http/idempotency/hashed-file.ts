/** A file that is hashed while it is read, so that an Idempotency-Key is compared with it without a second pass. */
import { createHash } from "node:crypto";

export interface HashedFile {
  readonly content: AsyncIterable<Uint8Array>;
  /** The SHA-256 of `beside` and the content, in hex. Reads what is not read yet. */
  readonly hash: () => Promise<string>;
}

/** `beside` is the rest of the input. */
export function hashFile(source: AsyncIterable<Uint8Array>, beside: string): HashedFile {
  const hash = createHash("sha256").update(`${beside}\n`);
  let hashed: string | undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const content = read();
  return {
    content,
    async hash() {
      while ((await content.next()).done !== true);
      return (hashed ??= hash.digest("hex"));
    },
  };
}
