/** Stores pieces as objects of a bucket. */
import type { Bucket } from "../kit/input/bucket-url.ts";
import type { PieceStore } from "./blobs.ts";
import { createS3Client } from "./s3-client.ts";
import type { BucketCredentials } from "./s3-client.ts";

export function createS3Store(bucket: Bucket, keys: BucketCredentials): PieceStore {
  const client = createS3Client(bucket, keys);
  return {
    async put(name, bytes) {
      await client.send("PUT", name, { body: bytes as Uint8Array<ArrayBuffer> });
    },
    get: async (name) => (await client.send("GET", name))?.bytes,
    // A HEAD would not tell a missing object from a missing bucket.
    has: async (name) => (await client.send("GET", name, { headers: { range: "bytes=0-0" } })) !== undefined,
    async remove(name) {
      await client.send("DELETE", name);
    },
    async *list() {
      // The pieces of a key follow each other.
      let last = "";
      for await (const { name, changedAt } of client.list()) {
        const [key, number] = name.split("/");
        if (number === undefined || key === undefined || key === last) continue;
        last = key;
        yield { key, changedAt };
      }
    },
  };
}
