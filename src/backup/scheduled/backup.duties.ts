/** The worker's duty that takes backups by CRM_BACKUP_CRON, one worker at a time. */
import type { Settings } from "../../../config/settings.ts";
import type { Duty } from "../../kit/duty.ts";
import { systemClock } from "../../kit/time/clock.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { Database } from "../../storage/database.ts";
import { ownTables } from "../../storage/dump/tables.ts";
import type { Workers } from "../../storage/installation/workers.ts";
import { auditBackup } from "../backup-audit.ts";
import { recordBackup } from "../backup-record.ts";
import {
  claimBackup,
  readDue,
  endFailed,
  endTaken,
  recordTold,
  releaseBackup,
  renewalMilliseconds,
  renewLease,
} from "./backup-lease.ts";
import type { BackupLease } from "./backup-lease.ts";
import { takeInThread } from "./backup-thread-client.ts";
import { mailFailure } from "./failed-backup.mail.ts";

export interface BackupDuty {
  readonly database: Database;
  readonly clock: Clock;
  readonly workers: Workers;
  /** Null if owners are not notified by mail. */
  readonly mailer: Mailer | null;
  readonly settings: Settings;
  /** The version of crm. */
  readonly version: string;
  readonly log: {
    readonly info: (message: string, fields: object) => void;
    readonly warn: (message: string, fields: object) => void;
    readonly error: (message: string, fields: object) => void;
  };
}

/** The first retry after a failure, unless the schedule comes first. In milliseconds. */
const retryAfter = 600_000;

/** None without CRM_BACKUP_URL. */
export function backupDuties(deps: BackupDuty): Duty[] {
  const { settings, database, clock, workers, log } = deps;
  if (settings.backupUrl === null) return [];

  async function findDue(): Promise<Date> {
    return readDue(database, settings.backupCron, await nextRun(settings.backupCron, clock.now()));
  }

  async function take(lease: BackupLease, signal: AbortSignal): Promise<void> {
    const at = clock.now();
    const lost = new AbortController();
    const renewing = setInterval(() => {
      renewLease(database, lease, clock.now()).then(
        (isHeld) => isHeld || lost.abort(new Error("another worker has taken over")),
        (error: unknown) => log.warn("the lease of a backup could not be renewed", { error }),
      );
    }, renewalMilliseconds);
    try {
      const written = await takeInThread(
        { settings, at, version: deps.version, own: ownTables(database) },
        AbortSignal.any([signal, lost.signal]),
      );
      await recordBackup(database, { takenAt: at, bytes: written.bytes, name: written.name });
      await auditBackup(database, at, { operation: "takeBackup", details: { scheduled: true }, by: "system" });
      await endTaken(database, lease, await nextRun(settings.backupCron, clock.now()));
      log.info("backup taken", { ...written });
    } catch (error) {
      if (signal.aborted) {
        await releaseBackup(database, lease);
        throw error;
      }
      await fail(lease, error);
    } finally {
      clearInterval(renewing);
    }
  }

  async function fail(lease: BackupLease, fault: unknown): Promise<void> {
    const error = fault instanceof Error ? fault.message : String(fault);
    log.error("a scheduled backup failed", { error });
    const now = clock.now();
    const next = await nextRun(settings.backupCron, clock.now());
    const due = new Date(Math.min(next.getTime(), now.getTime() + retryAfter));
    const isNew = await endFailed(database, lease, { now, due, error });
    if (isNew && deps.mailer !== null && (await mailFailure({ ...deps, mailer: deps.mailer }, { error, at: now })))
      await recordTold(database, now);
  }

  return [
    {
      name: "take scheduled backups",
      wokenBy: [],
      async run(signal) {
        if ((await findDue()) > clock.now()) return "done";
        const lease = await claimBackup(database, { now: clock.now(), worker: await workers.own() });
        if (lease !== undefined) await take(lease, signal);
        return "done";
      },
      nextDue: findDue,
    },
  ];
}

/** The next time of the expression, in UTC. */
async function nextRun(expression: string, now: Date): Promise<Date> {
  const { default: cron } = await import("node-cron");
  const [next] = cron.createTask(expression, () => {}, { timezone: "Etc/UTC" }).getNextRuns(1);
  if (next === undefined) throw new Error(`CRM_BACKUP_CRON ${expression} is never due.`);
  // The library counts from the system clock.
  return new Date(now.getTime() + next.getTime() - systemClock.now().getTime());
}
