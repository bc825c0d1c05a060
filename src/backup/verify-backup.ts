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

export interface Verification<Inspection> extends RestoreSummary {
  /** Whether the backup holds its master keys. */
  readonly master_keys: boolean;
  /** What `inspect` found. */
  readonly inspection: Inspection;
}

interface VerifyOptions<Inspection> {
  /** Called with the number of rows restored so far. */
  readonly progress: (rows: number) => void;
  /** Looks at the restored database; without the keys if the backup does not hold them. */
  readonly inspect: (database: Database, masterKeys: readonly string[] | null) => Promise<Inspection>;
}

/** Throws a BackupFault for a backup that is damaged, incomplete or holds the wrong master keys. */
export async function verifyBackup<Inspection>(
  open: (databaseUrl: string) => Promise<Database>,
  source: AsyncIterable<Uint8Array>,
  { progress, inspect }: VerifyOptions<Inspection>,
): Promise<Verification<Inspection>> {
  const folder = await mkdtemp(join(tmpdir(), "crm-verify-"));
  try {
    const database = await open(embeddedUrl(join(folder, "crm.db")));
    let carried: readonly string[] | null = null;
    try {
      const restored = await restoreBackup(database, source, {
        async accept({ secret_check: check }, masterKeys) {
          carried = masterKeys;
          if (masterKeys !== null && !fitsCheck(createMasterKeys(masterKeys), check))
            throw new BackupFault("its master key does not open its secrets");
        },
        blobs: null,
        progress,
      });
      return { ...restored, master_keys: carried !== null, inspection: await inspect(database, carried) };
    } finally {
      await database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
