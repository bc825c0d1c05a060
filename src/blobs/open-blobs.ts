/** Opens the store of CRM_BLOB_URL: a folder, by a driver of unstorage, or an S3 bucket. */
import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { readBucketUrl } from "../kit/input/bucket-url.ts";
import type { Bucket } from "../kit/input/bucket-url.ts";
import { createBlobs } from "./blobs.ts";
import type { Blobs, ListedKey, PieceStore } from "./blobs.ts";
import type { BucketCredentials } from "./s3-client.ts";

type BlobSettings = Pick<Settings, "blobUrl"> & Partial<Pick<Settings, "s3AccessKeyId" | "s3SecretAccessKey">>;

/** In milliseconds. */
const answerTime = 30_000;

/** Connects with the first file. Throws for a bucket without credentials. */
export function openBlobs({ blobUrl, s3AccessKeyId, s3SecretAccessKey }: BlobSettings): Blobs {
  const bucket = readBucketUrl(blobUrl);
  if (bucket === undefined) return createBlobs(() => openFolder(blobUrl.slice("fs:".length)));
  if (!s3AccessKeyId || !s3SecretAccessKey)
    throw new Error("CRM_BLOB_URL is a bucket: set CRM_S3_ACCESS_KEY_ID and CRM_S3_SECRET_ACCESS_KEY.");
  return createBlobs(() => openBucket(bucket, { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey }));
}

async function openBucket(bucket: Bucket, credentials: BucketCredentials): Promise<PieceStore> {
  const { createS3Store } = await import("./s3-store.ts");
  return createS3Store(bucket, credentials);
}

async function openFolder(base: string): Promise<PieceStore> {
  const [{ default: createDriver }, { createFlush }] = await Promise.all([
    import("unstorage/drivers/fs-lite"),
    import("./flush-file.ts"),
  ]);
  return toStore(createDriver({ base }), { base, flush: createFlush(base) });
}

interface RawDriver {
  readonly setItemRaw?: (key: string, value: unknown, options: object) => unknown;
  readonly getItemRaw?: (key: string, options: object) => unknown;
  readonly hasItem: (key: string, options: object) => unknown;
  readonly removeItem?: (key: string, options: object) => unknown;
}

interface Folder {
  readonly base: string;
  /** Makes a written value durable. */
  readonly flush: (name: string) => Promise<void>;
}

function toStore(driver: RawDriver, { base, flush }: Folder): PieceStore {
  return {
    async put(name, bytes) {
      await inTime(driver.setItemRaw!(name, bytes, {}));
      await flush(name);
    },
    async get(name) {
      const bytes = await inTime(driver.getItemRaw!(name, {}));
      if (bytes === null || bytes === undefined) return undefined;
      return bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : (bytes as Uint8Array);
    },
    has: async (name) => Boolean(await inTime(driver.hasItem(name, {}))),
    async remove(name) {
      await inTime(driver.removeItem!(name, {}));
    },
    list: () => listFolders(base),
  };
}

/** One after the other, as the driver's own list is an array of all files. */
async function* listFolders(base: string): AsyncGenerator<ListedKey> {
  const folder = await opendir(base).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for await (const entry of folder) {
    // A folder stays when its pieces are removed.
    const found = await stat(join(base, entry.name, "0")).catch(() => undefined);
    if (found !== undefined) yield { key: entry.name, changedAt: found.mtime };
  }
}

async function inTime<Result>(work: Result | Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("The file store did not answer in time.")), answerTime);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
