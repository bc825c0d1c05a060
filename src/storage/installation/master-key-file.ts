/** Where the master keys come from: the settings, or a file in the data folder that is made once, for its owner alone. */
import { randomUUID } from "node:crypto";
import { link, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createMasterKeys, mintMasterKey } from "../../kit/secrets/master-keys.ts";
import { flushFolder, makeDataFolder, makePrivateFile, masterKeyFile } from "../data-folder.ts";

/** Master keys that cannot be had, read or used; the message is meant for the operator. */
export class MasterKeyError extends Error {}

/** The keys of the settings, or else of `<data folder>/secret.key`, the first one first: one a line. With `make` that file is made where it is missing. */
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
      `There is no master key at ${path}, and this database was set up with one: put it there (CRM_DATA_DIR names the folder), or into CRM_SECRET_KEYS.`,
    );
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

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Of several that start at once all end up with the key of the first: a link is made whole, and never over another. */
async function makeKey(path: string, dataDir: string): Promise<string> {
  makeDataFolder(dataDir);
  const draft = `${path}.${randomUUID()}`;
  // On disk before anything is sealed under it: whatever is, is lost with the key.
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
    throw new MasterKeyError(`The master key file ${path} holds no usable key: ${(error as Error).message}`);
  }
  return keys;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
