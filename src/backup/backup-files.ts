/** Files of backups: written completely or not at all, readable by their owner only, named by time. */
import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { access, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { notWritten } from "../kit/not-written.ts";
import { flushFolder } from "../storage/data-folder.ts";
import { createCompression } from "./archive.ts";
import { BackupFault } from "./backup-fault.ts";

const form = /^crm-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst$/;

/** The name of a backup taken at `at`, by which `listBackupFiles` recognizes it. */
export function backupName(at: Date): string {
  return `crm-${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.tar.zst`;
}

/** The time in the name of a backup; undefined for any other file. */
export function backupTime(name: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = form.exec(name) ?? [];
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Compresses `bytes` into a new file. Throws if the file exists or cannot be written; an incomplete one is removed. */
export async function writeBackupFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<{ readonly bytes: number }> {
  const draft = join(dirname(path), `.${randomUUID()}.partial`);
  const file = await open(draft, "wx", 0o600).catch((error: unknown) => {
    throw notWritten(path, error);
  });
  try {
    const written = file.createWriteStream({ flush: true });
    let fault: unknown;
    written.once("error", (error) => (fault = error));
    await pipeline(bytes, createCompression(), written, { signal }).catch((error: unknown) => {
      throw error === fault && !signal?.aborted ? notWritten(path, error) : error;
    });
    const { size } = await stat(draft);
    await nameFile(draft, path).catch((error: unknown) => {
      throw notWritten(path, error);
    });
    return { bytes: size };
  } finally {
    await rm(draft, { force: true });
    await flushFolder(dirname(path)).catch(() => {});
  }
}

/** What a file system without hard links answers: FAT and exFAT, many network and FUSE file systems. */
const withoutLinks = new Set<unknown>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Gives a complete file its name. Unlike a rename alone, a hard link overwrites nothing, nor does a rename over an empty file of one's own. */
async function nameFile(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (!withoutLinks.has((error as NodeJS.ErrnoException).code)) throw error;
    await (await open(path, "wx", 0o600)).close();
    await rename(draft, path);
  }
}

/** The bytes of a backup file, opened when they are first read. Throws a BackupFault for what is no regular file. */
export async function readBackupFile(path: string): Promise<AsyncIterable<Uint8Array>> {
  // Without the error as its cause, which would read as a fault of the database.
  const unreadable = (error: unknown): never => {
    throw new BackupFault(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  };
  const found = await stat(path).catch(unreadable);
  if (found.isDirectory()) throw new BackupFault(`${path} is a folder; give one of the files in it`);
  if (!found.isFile()) throw new BackupFault(`${path} is no regular file`);
  await access(path, constants.R_OK).catch(unreadable);
  return (async function* () {
    yield* createReadStream(path, { highWaterMark: 262_144 });
  })();
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    // Without the error as its cause, which would read as a fault of the database.
    throw new Error(
      code === "ENOENT"
        ? `There is no folder ${folder}: create it first.`
        : `The folder ${folder} cannot be read (${code}).`,
    );
  });
}

/** The backups in a folder, newest first. Files of other names are none. */
export async function listBackupFiles(folder: string): Promise<{ readonly name: string; readonly at: Date }[]> {
  return (await namesIn(folder))
    .flatMap((name) => {
      const at = backupTime(name);
      return at === undefined ? [] : { name, at };
    })
    .toSorted((one, other) => other.at.getTime() - one.at.getTime());
}

/** In milliseconds: no backup is written for as long. */
const oldDraft = 7 * 86_400_000;

/** Removes what backups left in the folder whose process was killed. */
export async function removeDrafts(folder: string, now: Date): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!/^\.[\da-f-]{36}\.partial$/.test(name)) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (mtimeMs < now.getTime() - oldDraft) await rm(join(folder, name), { force: true });
  }
}
