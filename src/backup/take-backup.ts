/** Takes a backup: as a stream, as a new file, or as the newest file of a folder. */
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Database } from "../storage/database.ts";
import type { KeepRule } from "../kit/input/keep-rule.ts";
import { createCompression, packParts } from "./archive.ts";
import { backupName, listBackupFiles, removeDrafts, writeBackupFile } from "./backup-files.ts";
import { recordBackup } from "./backup-record.ts";
import { outdated } from "./keep-rule.ts";
import { writeBackup } from "./write-backup.ts";
import type { BackupOptions, BackupSummary } from "./write-backup.ts";

type BackupTaking = BackupOptions & { readonly signal: AbortSignal };

/** Writes a compressed backup to `output`, which stays open. */
export async function streamBackup(
  database: Database,
  { signal, ...options }: BackupTaking,
  output: NodeJS.WritableStream,
): Promise<BackupSummary> {
  const summary = await writeBackup(database, options, (parts) =>
    pipeline(packParts(parts, options.at), createCompression(), output, { signal, end: false }).catch(
      (error: NodeJS.ErrnoException) => {
        // Elsewhere EPIPE is a lost connection to the database.
        if (error.code === "EPIPE") throw new Error("The backup is cut off: its reader has ended (EPIPE).");
        throw error;
      },
    ),
  );
  await recordBackup(database, { takenAt: options.at, bytes: null, name: null });
  return summary;
}

export interface WrittenBackup extends BackupSummary {
  readonly file: string;
  readonly bytes: number;
  /** The names of files that the rule no longer wanted. */
  readonly removed: readonly string[];
}

/** Writes a backup to a file that must not exist: `file`, or with a rule one named by time in the folder `file`. */
export async function fileBackup(
  database: Database,
  { signal, ...options }: BackupTaking,
  { file, rule }: { readonly file: string | undefined; readonly rule: KeepRule | undefined },
): Promise<WrittenBackup> {
  const name = backupName(options.at);
  const folder = rule === undefined ? undefined : file!;
  const path = folder === undefined ? (file ?? name) : join(folder, name);
  if (folder !== undefined) await removeDrafts(folder, options.at);
  let bytes = 0;
  const summary = await writeBackup(database, options, async (parts) => {
    ({ bytes } = await writeBackupFile(path, packParts(parts, options.at), signal));
  });
  await recordBackup(database, { takenAt: options.at, bytes, name: basename(path) });
  const removed = folder === undefined ? [] : outdated(await listBackupFiles(folder), rule!).map((old) => old.name);
  for (const old of removed) await rm(join(folder!, old));
  return { file: path, bytes, ...summary, removed };
}
