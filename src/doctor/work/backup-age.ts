/** The age of the newest backup, and whether the scheduled ones succeed. */
import { readNewestBackup } from "../../backup/backup-record.ts";
import { failure, ok, warning } from "../check.ts";
import type { Check, Finding, Installation } from "../check.ts";
import { spanOf } from "./span.ts";

/** In milliseconds. */
const late = 3_600_000;
const old = 7 * 86_400_000;

export const backupAge: Check<Installation> = {
  name: "backup",
  async examine({ database, clock, settings: { backupUrl } }): Promise<Finding> {
    const { takenAt, bytes, name, dueAt, failingSince, error } = await readNewestBackup(database);
    const now = clock.now().getTime();
    if (backupUrl !== null && failingSince !== null)
      return failure(
        `scheduled backups fail since ${failingSince.toISOString()}: ${error}`,
        "mend its cause; the worker tries again",
      );
    if (backupUrl !== null && dueAt !== null && now - dueAt.getTime() > late)
      return failure(
        `the scheduled backup is overdue for ${spanOf(now - dueAt.getTime())}`,
        "crm serve, or crm worker",
      );
    const remedy = "crm backup --keep 7d,4w,6m FOLDER, or set CRM_BACKUP_URL";
    if (takenAt === null)
      return backupUrl !== null ? ok("the first one is not due yet") : warning("none was taken", remedy);
    const age = now - takenAt.getTime();
    const size = bytes === null ? "" : `, ${bytes} bytes`;
    const found = `the newest${name === null ? "" : `, ${name},`} is ${spanOf(Math.max(age, 0))} old${size}`;
    return age > old ? warning(found, remedy) : ok(found);
  },
};
