/** Where scheduled backups go: a folder, or a bucket. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Settings } from "../../../config/settings.ts";
import { createS3Client } from "../../blobs/s3-client.ts";
import { readBucketUrl } from "../../kit/input/bucket-url.ts";
import type { KeepRule } from "../../kit/input/keep-rule.ts";
import { systemClock } from "../../kit/time/clock.ts";
import { makeFolder } from "../../storage/data-folder.ts";
import type { Database } from "../../storage/database.ts";
import { createCompression, packParts } from "../archive.ts";
import { backupName, backupTime, listBackupFiles, removeDrafts, writeBackupFile } from "../backup-files.ts";
import { outdated } from "../keep-rule.ts";
import { writeBackup } from "../write-backup.ts";
import type { BackupOptions } from "../write-backup.ts";
import { uploadObject } from "./upload-object.ts";

export interface BackupTarget {
  /** Writes a backup completely, or not at all. */
  write(name: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<{ readonly bytes: number }>;
  /** The backups that are there, newest first. */
  list(): Promise<{ readonly name: string; readonly at: Date }[]>;
  remove(name: string): Promise<void>;
}

export interface TakenBackup {
  readonly name: string;
  readonly bytes: number;
  readonly rows: number;
  readonly files: number;
  readonly missing_files: number;
  /** The names of backups that the rule no longer wanted. */
  readonly removed: readonly string[];
}

type TargetSettings = Pick<Settings, "backupUrl" | "s3AccessKeyId" | "s3SecretAccessKey">;

export function openBackupTarget({ backupUrl, s3AccessKeyId, s3SecretAccessKey }: TargetSettings): BackupTarget {
  const bucket = readBucketUrl(backupUrl!);
  if (bucket === undefined) return openFolder(backupUrl!.slice("fs:".length));
  if (!s3AccessKeyId || !s3SecretAccessKey)
    throw new Error("CRM_BACKUP_URL is a bucket: set CRM_S3_ACCESS_KEY_ID and CRM_S3_SECRET_ACCESS_KEY.");
  const client = createS3Client(bucket, { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey });
  return {
    async write(name, bytes, signal) {
      const compression = createCompression();
      // Each ends the other by its failure; the upload removes its parts before it ends.
      const [uploaded, read] = await Promise.allSettled([
        uploadObject(client, name, compression, signal),
        pipeline(bytes, compression, { signal }),
      ]);
      for (const ended of [uploaded, read]) if (ended.status === "rejected") throw ended.reason;
      return { bytes: (uploaded as PromiseFulfilledResult<number>).value };
    },
    async list() {
      const found: { name: string; at: Date }[] = [];
      for await (const { name } of client.list()) {
        const at = backupTime(name);
        if (at !== undefined) found.push({ name, at });
      }
      return found.toSorted((one, other) => other.at.getTime() - one.at.getTime());
    },
    async remove(name) {
      await client.send("DELETE", name);
    },
  };
}

function openFolder(folder: string): BackupTarget {
  return {
    async write(name, bytes, signal) {
      makeFolder(folder);
      await removeDrafts(folder, systemClock.now());
      return writeBackupFile(join(folder, name), bytes, signal);
    },
    list: () => listBackupFiles(folder),
    remove: (name) => rm(join(folder, name)),
  };
}

/** Takes a backup named by its time, and removes those that the rule no longer wants. */
export async function takeInto(
  target: BackupTarget,
  database: Database,
  { signal, ...options }: BackupOptions & { readonly signal: AbortSignal },
  rule: KeepRule,
): Promise<TakenBackup> {
  const name = backupName(options.at);
  let bytes = 0;
  const { rows, files, missing_files } = await writeBackup(database, options, async (parts) => {
    ({ bytes } = await target.write(name, packParts(parts, options.at), signal));
  });
  const removed = outdated(await target.list(), rule).map((old) => old.name);
  for (const old of removed) await target.remove(old);
  return { name, bytes, rows, files, missing_files, removed };
}
