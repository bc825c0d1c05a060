/** Proves that a backup can be restored, by restoring it into a temporary SQLite database. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../storage/database.ts";
import { createMasterKeys } from "../kit/secrets/master-keys.ts";
import { embeddedUrl } from "../storage/open-database.ts";
import { fitsCheck } from "../storage/installation/installation.ts";
import { BackupFault } from "./backup-fault.ts";
import { restoreBackup } from "./restore-backup.ts";
import type { RestoreSummary } from "./restore-backup.ts";

/** Throws a BackupFault for a backup that is damaged, incomplete or holds the wrong master keys. */
export async function verifyBackup(
  open: (databaseUrl: string) => Promise<Database>,
  source: AsyncIterable<Uint8Array>,
  progress: (rows: number) => void,
): Promise<RestoreSummary & { readonly master_keys: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), "crm-verify-"));
  try {
    const database = await open(embeddedUrl(join(folder, "crm.db")));
    let carriesKeys = false;
    try {
      const restored = await restoreBackup(database, source, {
        async accept({ secret_check: check }, masterKeys) {
          carriesKeys = masterKeys !== null;
          if (masterKeys !== null && !fitsCheck(createMasterKeys(masterKeys), check))
            throw new BackupFault("its master key does not open its secrets");
        },
        blobs: null,
        progress,
      });
      return { ...restored, master_keys: carriesKeys };
    } finally {
      await database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
