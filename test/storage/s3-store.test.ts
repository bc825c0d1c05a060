/** Files in a bucket: what is stored there, and the sentences of its failures. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createBlobs } from "../../src/blobs/blobs.ts";
import { openBlobs } from "../../src/blobs/open-blobs.ts";
import { startS3Server } from "../support/s3-server.ts";

let s3: Awaited<ReturnType<typeof startS3Server>>;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3[Symbol.asyncDispose]());
beforeEach(() => {
  s3.objects.clear();
  s3.requests.length = 0;
});

const open = (blobUrl = s3.bucketUrl, { accessKeyId, secretAccessKey } = s3.credentials) =>
  openBlobs({ blobUrl, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey });
const large = Buffer.alloc(2_500_000, "file ");
async function contentOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) chunks.push(piece);
  return Buffer.concat(chunks);
}
const causeOf = (work: Promise<unknown>) =>
  work.then(
    () => "stored",
    (error: Error) => (error.cause as Error).message,
  );
const secretOf = (text: string) =>
  [s3.credentials.accessKeyId, s3.credentials.secretAccessKey].filter((key) => text.includes(key));

test("a bucket that does not exist is an error, with a sentence", async () => {
  const blobs = open(s3.bucketUrl.replace("//files/", "//other/"));
  const sentence = /^The bucket other does not exist at http:\/\/127\.0\.0\.1:\d+\.$/;
  const blob = { key: "a", size: 1, sha256: "" };
  expect(await causeOf(blobs.write("a", [Buffer.from("x")]))).toMatch(sentence);
  expect(await causeOf(blobs.read(blob).next())).toMatch(sentence);
  expect(await causeOf(blobs.remove("a"))).toMatch(sentence);
});

test("a file is written below the prefix in pieces, read, and removed", async () => {
  const blobs = open();
  const blob = await blobs.write("key", [large]);
  expect([...s3.objects].map(([name, { length }]) => [name, length])).toEqual([
    ["crm/north/key/0", 1_048_576],
    ["crm/north/key/1", 1_048_576],
    ["crm/north/key/2", 402_848],
  ]);
  expect(await contentOf(blobs.read(blob))).toEqual(large);
  expect(await blobs.readPiece("key", 3)).toBeUndefined();
  s3.objects.delete("crm/north/key/1");
  await expect(contentOf(blobs.read(blob))).rejects.toMatchObject({ kind: "gone" });
  await blobs.writePiece("key", 1, large.subarray(0, 1_048_576));
  await blobs.remove("key");
  expect(s3.objects.size).toBe(0);
  await blobs.remove("key");
});

test.each<[what: string, work: () => Promise<unknown>, sentence: RegExp]>([
  [
    "the secret is another one",
    () => open(undefined, { ...s3.credentials, secretAccessKey: "wrong" }).write("a", [large]),
    /refused to PUT an object in the bucket files: SignatureDoesNotMatch\.$/,
  ],
  [
    "the key is unknown",
    () => open(undefined, { ...s3.credentials, accessKeyId: "AKIDOTHER" }).readPiece("a", 0),
    /refused to GET an object in the bucket files: InvalidAccessKeyId\.$/,
  ],
  [
    "it fails after each retry",
    () => ((s3.failures = [503, 500, 503]), open().writePiece("a", 0, large)),
    /refused to PUT an object in the bucket files: SlowDown\.$/,
  ],
])("an error says why, without keys: %s", async (_what, work, sentence) => {
  const cause = await causeOf(work());
  expect(cause).toMatch(sentence);
  expect(secretOf(cause)).toEqual([]);
  expect(s3.objects.size).toBe(0);
});

test("a request is retried while the store asks to slow down", async () => {
  s3.failures = [503, 429];
  await open().writePiece("a", 0, large);
  expect(s3.requests).toEqual(Array.from({ length: 3 }, () => "PUT /files/crm/north/a/0"));
});

test("a store that is down is an error, and is used again when it is back", async () => {
  const blobs = open();
  await s3.stop();
  expect(await causeOf(blobs.write("a", [large]))).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+ cannot be reached: ECONNREFUSED\.$/,
  );
  await s3.start();
  expect(await causeOf(blobs.write("a", [large]))).toBe("stored");
});

test("a store that could not be opened is opened again", async () => {
  let count = 0;
  const blobs = createBlobs(async () => {
    if (count++ === 0) throw new Error("The folder cannot be read.");
    return {
      put: async () => {},
      get: async () => undefined,
      has: async () => false,
      remove: async () => {},
      async *list() {},
    };
  });
  expect(await causeOf(blobs.writePiece("a", 0, large))).toBe("The folder cannot be read.");
  expect(await causeOf(blobs.writePiece("a", 0, large))).toBe("stored");
});

test("a bucket needs credentials", () => {
  expect(() => openBlobs({ blobUrl: s3.bucketUrl })).toThrow(
    "CRM_BLOB_URL is a bucket: set CRM_S3_ACCESS_KEY_ID and CRM_S3_SECRET_ACCESS_KEY.",
  );
});
