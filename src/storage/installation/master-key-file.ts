/**
 * The source of the master keys: the settings, or a file in the data folder, created once and readable by its owner
 * only.
 */
import { randomUUID } from "node:crypto";
import { link, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createMasterKeys, mintMasterKey } from "../../kit/secrets/master-keys.ts";
import { flushFolder, makeFolder, makePrivateFile, masterKeyFile } from "../data-folder.ts";

/** Master keys that are missing, unreadable or unusable; the message is for the operator. */
export class MasterKeyError extends Error {
  /** There is none yet. */
  readonly isMissing: boolean;
  constructor(message: string, { isMissing = false, ...options }: ErrorOptions & { isMissing?: boolean } = {}) {
    super(message, options);
    this.isMissing = isMissing;
  }
}

/**
 * The keys of the settings, or else of `<data folder>/secret.key`, one per line, the first one first. With `make` a
 * missing file is created.
 */
export async function loadMasterKeys(
  settings: { secretKeys: string[] | null; dataDir: string },
  { make }: { make: boolean },
): Promise<string[]> {
  if (settings.secretKeys !== null) return settings.secretKeys;
  const path = join(settings.dataDir, masterKeyFile);
  try {
    const text = (await readIfThere(path)) ?? (make ? await makeKey(path, settings.dataDir) : undefined);
    if (text !== undefined) return readKeys(text, path);
    throw new MasterKeyError(
      `The master key of this database is missing at ${path}: restore the file (its folder is CRM_DATA_DIR), or set CRM_SECRET_KEYS.`,
      { isMissing: true },
    );
  } catch (error) {
    if (error instanceof MasterKeyError) throw error;
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new MasterKeyError(
      `The master key ${path} cannot be read or created${code}: set CRM_DATA_DIR or CRM_SECRET_KEYS.`,
      {
        cause: error,
      },
    );
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Concurrent starts all get the key of the first: a hard link is created atomically and never overwrites. */
async function makeKey(path: string, dataDir: string): Promise<string> {
  makeFolder(dataDir);
  const draft = `${path}.${randomUUID()}`;
  // Durable before anything is encrypted under it: a lost key loses all of that.
  await makePrivateFile(draft, `${mintMasterKey()}\n`);
  try {
    await link(draft, path).catch((error: unknown) => {
      if (!isCode(error, "EEXIST")) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await flushFolder(dataDir);
  return readFile(path, "utf8");
}

function readKeys(text: string, path: string): string[] {
  const keys = text.split(/[\s,]+/).filter((key) => key !== "");
  try {
    createMasterKeys(keys);
  } catch (error) {
    throw new MasterKeyError(`The master key file ${path} contains no valid key: ${(error as Error).message}`);
  }
  return keys;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
