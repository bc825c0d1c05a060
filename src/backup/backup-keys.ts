/** The master keys of a backup, and those of the database that it is restored into. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createMasterKeys } from "../kit/secrets/master-keys.ts";
import { makeFolder, makePrivateFile, masterKeyFile } from "../storage/data-folder.ts";
import { fitsCheck } from "../storage/installation/installation.ts";
import { loadMasterKeys, MasterKeyError } from "../storage/installation/master-key-file.ts";
import { BackupFault } from "./backup-fault.ts";
import type { BackupHeader } from "./backup.format.ts";

type KeySettings = Parameters<typeof loadMasterKeys>[0];

/** The keys of this installation. Throws if there are none. */
export function ownMasterKeys(settings: KeySettings): Promise<string[]> {
  return loadMasterKeys(settings, { make: false });
}

/**
 * Accepts the keys of this installation if they open the backup's secrets. Where there are none, those of the backup become
 * `<data folder>/secret.key`. Throws a BackupFault if no key fits. The returned function takes a written file away again.
 */
export async function acceptMasterKeys(
  settings: KeySettings,
  { secret_check: check }: BackupHeader,
  carried: readonly string[] | null,
): Promise<() => Promise<void>> {
  const path = join(settings.dataDir, masterKeyFile);
  const own = await findOwn(settings);
  if (own !== undefined) {
    if (fitsCheck(createMasterKeys(own), check)) return async () => {};
    const source = settings.secretKeys === null ? path : "CRM_SECRET_KEYS";
    throw new BackupFault(`it was made under another master key than the one of ${source}`);
  }
  if (carried === null)
    throw new BackupFault(
      `it holds no master key: put the secret.key of its installation at ${path}, or set CRM_SECRET_KEYS`,
    );
  if (!fitsCheck(createMasterKeys(carried), check)) throw new BackupFault("its master key does not open its secrets");
  makeFolder(settings.dataDir);
  await makePrivateFile(path, `${carried.join("\n")}\n`);
  return () => rm(path, { force: true });
}

/** Undefined if this installation has no key yet. An unreadable or invalid one throws. */
async function findOwn(settings: KeySettings): Promise<readonly string[] | undefined> {
  try {
    return await ownMasterKeys(settings);
  } catch (error) {
    if (error instanceof MasterKeyError && error.isMissing) return undefined;
    throw error;
  }
}
