/** What is known of the newest backup, for `/readyz`, metrics and `crm doctor`. */
import type { Database } from "../storage/database.ts";
import { isMissing } from "../storage/migrations/migrate.ts";
import type { Rows } from "../storage/rows.ts";

export interface NewestBackup {
  /** The moment that it shows; null if none was taken. */
  readonly takenAt: Date | null;
  /** Compressed; null if unknown, as of one that was written to a pipe. */
  readonly bytes: number | null;
  readonly name: string | null;
  /** When the next scheduled one is due; null without a schedule. */
  readonly dueAt: Date | null;
  /** Since when scheduled backups fail; null if the last one succeeded. */
  readonly failingSince: Date | null;
  readonly error: string | null;
}

const readText = "select taken_at, bytes, name, due_at, failing_since, error from backup_records where id = 1";

interface NewestRow {
  readonly taken_at: number | null;
  readonly bytes: number | null;
  readonly name: string | null;
  readonly due_at: number | null;
  readonly failing_since: number | null;
  readonly error: string | null;
}

const toDate = (milliseconds: number | null | undefined): Date | null =>
  typeof milliseconds === "number" ? new Date(milliseconds) : null;

/** Nothing is known where the schema is older than this program. */
export async function readNewestBackup(database: Rows): Promise<NewestBackup> {
  const [row] = await findRecord(database);
  return {
    takenAt: toDate(row?.taken_at),
    bytes: row?.bytes ?? null,
    name: row?.name ?? null,
    dueAt: toDate(row?.due_at),
    failingSince: toDate(row?.failing_since),
    error: row?.error ?? null,
  };
}

async function findRecord({ rows }: Rows): Promise<NewestRow[]> {
  try {
    return await rows<NewestRow>(readText);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export interface CompletedBackup {
  readonly takenAt: Date;
  readonly bytes: number | null;
  readonly name: string | null;
}

const recordText = `insert into backup_records (id, taken_at, bytes, name) values (1, ?, ?, ?)
  on conflict (id) do update set taken_at = excluded.taken_at, bytes = excluded.bytes, name = excluded.name
  where backup_records.taken_at is null or backup_records.taken_at < excluded.taken_at`;

/**
 * Records a backup that is complete; false if the database cannot be written to: it may be full, read-only, or have an older schema, and a
 * backup is made then, too.
 */
export async function recordBackup(database: Database, { takenAt, bytes, name }: CompletedBackup): Promise<boolean> {
  try {
    await database.transaction(({ rows }) => rows(recordText, [takenAt, bytes, name]));
    return true;
  } catch {
    return false;
  }
}
