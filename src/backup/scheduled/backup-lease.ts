/** One worker at a time takes the scheduled backup: it claims it with a lease, and renews the lease meanwhile. */
import type { Database } from "../../storage/database.ts";

/** In milliseconds. A worker that died is replaced after it; a living one renews it in time. */
const leaseMilliseconds = 60_000;
export const renewalMilliseconds = 15_000;

const scheduleText = `insert into backup_records (id, schedule, due_at) values (1, ?, ?)
  on conflict (id) do update set schedule = excluded.schedule, due_at = excluded.due_at
  where backup_records.schedule is distinct from excluded.schedule`;
const knownText = "select schedule, due_at, leased_until from backup_records where id = 1";

interface DueBackup {
  readonly schedule: string | null;
  readonly due_at: number | null;
  readonly leased_until: number | null;
}

/**
 * When a worker may take the next backup: while another one holds the lease, not before its end. A changed schedule is written down, with
 * `next`.
 */
export async function readDue(database: Database, schedule: string, next: Date): Promise<Date> {
  const [known] = await database.rows<DueBackup>(knownText);
  if (known?.schedule === schedule && known.due_at !== null)
    return new Date(Math.max(known.due_at, known.leased_until ?? 0));
  await database.transaction(({ rows }) => rows(scheduleText, [schedule, next]));
  return next;
}

/** Names the claim: its fencing token. */
export type BackupLease = number;

const claimText = `update backup_records set leased_until = ?, leased_by = ?, fence = fence + 1
  where id = 1 and due_at <= ? and (leased_until is null or leased_until < ?) returning fence`;

/** Undefined if no backup is due, or another worker takes it. */
export async function claimBackup(
  database: Database,
  { now, worker }: { readonly now: Date; readonly worker: number | null },
): Promise<BackupLease | undefined> {
  const until = new Date(now.getTime() + leaseMilliseconds);
  const [claimed] = await database.transaction(({ rows }) =>
    rows<{ fence: number }>(claimText, [until, worker, now, now]),
  );
  return claimed?.fence;
}

const renewText = "update backup_records set leased_until = ? where id = 1 and fence = ? returning id";

/** False if another worker has claimed it meanwhile: this one must stop. */
export async function renewLease(database: Database, lease: BackupLease, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + leaseMilliseconds);
  return (await database.transaction(({ rows }) => rows(renewText, [until, lease]))).length > 0;
}

const releaseText = "update backup_records set leased_until = null where id = 1 and fence = ?";

/** A stopping worker leaves the backup to the next one. */
export async function releaseBackup(database: Database, lease: BackupLease): Promise<void> {
  await database.transaction(({ rows }) => rows(releaseText, [lease]));
}

const succeededText = `update backup_records set leased_until = null, due_at = ?, failing_since = null, error = null, told_at = null
  where id = 1 and fence = ?`;

export async function endTaken(database: Database, lease: BackupLease, due: Date): Promise<void> {
  await database.transaction(({ rows }) => rows(succeededText, [due, lease]));
}

const failedText = `update backup_records set leased_until = null, due_at = ?, failing_since = coalesce(failing_since, ?), error = ?
  where id = 1 and fence = ? returning told_at`;
const toldText = "update backup_records set told_at = ? where id = 1";

/** Resolves to whether the owners are still to be told of it. */
export async function endFailed(
  database: Database,
  lease: BackupLease,
  { now, due, error }: { readonly now: Date; readonly due: Date; readonly error: string },
): Promise<boolean> {
  const [failed] = await database.transaction(({ rows }) =>
    rows<{ told_at: number | null }>(failedText, [due, now, error, lease]),
  );
  return failed !== undefined && failed.told_at === null;
}

export async function recordTold(database: Database, now: Date): Promise<void> {
  await database.transaction(({ rows }) => rows(toldText, [now]));
}
