/** Audit entries of backups and restores, which open no service. */
import { operatorOfService } from "../operation/callers.ts";
import { auditOrigin, recordAudit } from "../operation/audit/record-audit.ts";
import type { AuditActor } from "../vocabulary/states.ts";
import type { Database } from "../storage/database.ts";

interface BackupEntry {
  readonly operation: "takeBackup" | "restoreBackup";
  readonly details: Readonly<Record<string, unknown>>;
  /** Default: the operator, who runs the command. */
  readonly by?: Extract<AuditActor, "system">;
}

/** Resolves to whether it was written: a database that takes no writes, or with an older schema, can be backed up all the same. */
export async function auditBackup(database: Database, at: Date, { by, ...entry }: BackupEntry): Promise<boolean> {
  const operator = auditOrigin({ ...operatorOfService, address: null });
  const origin = by === undefined ? operator : { ...operator, actor: { type: by, id: null } };
  try {
    await database.transaction(async (change) => recordAudit(change, at, { ...origin, ...entry, subject: null }));
    return true;
  } catch {
    return false;
  }
}
