/** Where the master keys come from: the settings, or a file in the data folder that is made once, for its owner alone. */
import { randomUUID } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createMasterKeys, mintMasterKey } from "../../kit/master-keys.ts";
import { makeDataFolder } from "../data-folder.ts";

/** Master keys that cannot be had, read or used; the message is meant for the operator. */
export class MasterKeyError extends Error {}

/** The keys of the settings, or else of `<data folder>/secret.key`, the first one first: one a line. */
export async function loadMasterKeys(settings: { secretKeys: string[] | null; dataDir: string }): Promise<string[]> {
  if (settings.secretKeys !== null) return settings.secretKeys;
  const path = join(settings.dataDir, "secret.key");
  try {
    return readKeys(await readOrMake(path, settings.dataDir), path);
  } catch (error) {
    if (error instanceof MasterKeyError) throw error;
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new MasterKeyError(
      `The master key ${path} cannot be read or made${code}: set CRM_DATA_DIR or CRM_SECRET_KEYS.`,
      {
        cause: error,
      },
    );
  }
}

async function readOrMake(path: string, dataDir: string): Promise<string> {
  return (await readIfThere(path)) ?? (await make(path, dataDir));
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Of several that start at once all end up with the key of the first: a link is made whole, and never over another. */
async function make(path: string, dataDir: string): Promise<string> {
  makeDataFolder(dataDir);
  const draft = `${path}.${randomUUID()}`;
  try {
    await write(draft, `${mintMasterKey()}\n`);
    await link(draft, path).catch((error: unknown) => {
      if (!isCode(error, "EEXIST")) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await flushFolder(dataDir);
  return readFile(path, "utf8");
}

async function write(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    // Whatever is sealed under this key is lost with it: it must not be lost to a crash.
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function readKeys(text: string, path: string): string[] {
  const keys = text.split(/[\s,]+/).filter((key) => key !== "");
  try {
    createMasterKeys(keys);
  } catch (error) {
    throw new MasterKeyError(`The master key file ${path} holds no usable key: ${(error as Error).message}`);
  }
  return keys;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
