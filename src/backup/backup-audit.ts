/** Audit entries of backups and restores, which open no service. */
import { operatorOfService } from "../operation/callers.ts";
import { auditOrigin, recordAudit } from "../operation/audit/record-audit.ts";
import type { Database } from "../storage/database.ts";

/** Resolves to whether it was written: a database that takes no writes, or with an older schema, can be backed up all the same. */
export async function auditBackup(
  database: Database,
  at: Date,
  entry: { readonly operation: "takeBackup" | "restoreBackup"; readonly details: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  const origin = auditOrigin({ ...operatorOfService, address: null });
  try {
    await database.transaction(async (change) => recordAudit(change, at, { ...origin, ...entry, subject: null }));
    return true;
  } catch {
    return false;
  }
}
