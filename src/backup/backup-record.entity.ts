/** A single row: the newest backup, the schedule, and the lease of the worker that takes one. It is not part of a backup. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";

export const BackupRecord = defineEntity({
  name: "BackupRecord",
  tableName: "backup_records",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** The newest backup that was completed: the moment that it shows, its size, and its name. */
    takenAt: p.datetime(3).nullable(),
    bytes: p.type(Integer).nullable(),
    name: p.text().nullable(),
    /** The cron expression that `dueAt` was computed from. */
    schedule: p.text().nullable(),
    dueAt: p.datetime(3).nullable(),
    leasedUntil: p.datetime(3).nullable(),
    leasedBy: p.type(Integer).nullable(),
    /** A fencing token, incremented with each claim: a slow worker records nothing over another. */
    fence: p.type(Integer).default(0),
    /** The first failure since the last scheduled backup, and why; when the owners were told. */
    failingSince: p.datetime(3).nullable(),
    error: p.text().nullable(),
    toldAt: p.datetime(3).nullable(),
  },
});
