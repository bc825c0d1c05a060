/** Restores a backup into an empty database, in one transaction: completely, or not at all. */
import { createHash } from "node:crypto";
import type { Blobs } from "../blobs/blobs.ts";
import { withRollback } from "../events/with-rollback.ts";
import type { Database, Transaction } from "../storage/database.ts";
import { allowIdleInTransaction, analyzeTables, continueIds, createLoad, removeIndexes } from "../storage/dump/load.ts";
import type { Load } from "../storage/dump/load.ts";
import { readLines } from "../storage/dump/table-lines.ts";
import { readTables } from "../storage/dump/tables.ts";
import type { DumpedTable } from "../storage/dump/tables.ts";
import { applyMigrations, carriedMigrations, schemaState } from "../storage/migrations/migrate.ts";
import { stemOf } from "../storage/migrations/migration-files.ts";
import { BackupFault } from "./backup-fault.ts";
import type { BackupHeader, BackupManifest } from "./backup.format.ts";
import { readBackup } from "./read-backup.ts";
import { createFileRestore } from "./stored-files.ts";
import type { FileRestore } from "./stored-files.ts";

export interface RestoreOptions {
  /** Throws unless the secrets of the backup can be opened here; called before anything is written. */
  readonly accept: (header: BackupHeader, masterKeys: readonly string[] | null) => Promise<void>;
  /** The store of attachments; null reads their files and writes none. */
  readonly blobs: Blobs | null;
  /** Does everything, then rolls it back; writes no files. */
  readonly dryRun?: boolean;
  /** Called with the number of rows loaded so far. */
  readonly progress?: (rows: number) => void;
}

/** What was restored. */
export interface RestoreSummary {
  readonly taken_at: string;
  /** The version of crm that wrote the backup. */
  readonly crm: string;
  readonly rows: number;
  /** Files of attachments. */
  readonly files: number;
  /** The position up to which the event log was complete. */
  readonly position: number;
  /** The migrations that the backup's schema lacked. */
  readonly migrated: string[];
}

/**
 * Restores the schema of the backup, its rows, then the migrations that it lacks. Before the commit, what was written is read again and
 * compared with the hashes of the backup. Refuses a database that has tables; throws a BackupFault for a backup that cannot be used.
 */
export async function restoreBackup(
  database: Database,
  source: AsyncIterable<Uint8Array>,
  { accept, blobs, dryRun = false, progress = () => {} }: RestoreOptions,
): Promise<RestoreSummary> {
  const files = createFileRestore(dryRun ? null : blobs);
  let summary: RestoreSummary | undefined;
  async function restore(transaction: Transaction): Promise<void> {
    summary = await restoreInto(transaction, database, source, { accept, progress, files });
  }
  const change = (work: typeof restore) =>
    database.exclusively("migrate", async () => {
      // Another process may have filled it while this one waited.
      const { applied } = await schemaState(database);
      if (applied.length > 0)
        throw new Error("The database is not empty: a backup is restored into an empty one only.");
      return database.changeSchema((transaction) => work(transaction));
    });
  try {
    await (dryRun ? withRollback(change, restore) : change(restore));
  } catch (error) {
    await files.undo().catch(() => {});
    throw error;
  }
  return summary!;
}

async function restoreInto(
  transaction: Transaction,
  database: Database,
  source: AsyncIterable<Uint8Array>,
  { accept, progress, files }: Required<Pick<RestoreOptions, "accept" | "progress">> & { readonly files: FileRestore },
): Promise<RestoreSummary> {
  await allowIdleInTransaction(transaction);
  const carried = carriedMigrations(database);
  let restored: BackupHeader | undefined;
  let loader: Loader | undefined;
  let rows = 0;
  await readBackup(source, {
    async begin(header, masterKeys) {
      refuseNewer(header, carried);
      await accept(header, masterKeys);
      await applyMigrations(
        transaction,
        database,
        carried.filter((name) => header.schema.includes(stemOf(name))),
      );
      loader = await startLoading(transaction, database, header);
      restored = header;
    },
    async table(name, lines) {
      await loader!.load(name, lines);
      progress((rows += lines.length));
    },
    piece: (key, number, bytes) => files.take(key, number, bytes),
    end: (manifest) => loader!.finish(manifest),
  });
  const { schema, taken_at, crm, position } = restored!;
  const migrated = carried.filter((name) => !schema.includes(stemOf(name)));
  await applyMigrations(transaction, database, migrated);
  const tables = await readTables(transaction);
  await analyzeTables(
    transaction,
    tables.map((table) => table.name),
  );
  return { taken_at, crm, rows, files: files.files, position, migrated };
}

function refuseNewer({ schema }: BackupHeader, carried: readonly string[]): void {
  const known = new Set(carried.map(stemOf));
  const unknown = schema.filter((stem) => !known.has(stem));
  if (unknown.length === 0) return;
  throw new BackupFault(`its schema is newer than this version of crm, which does not know ${unknown.join(", ")}`);
}

interface Loader {
  load(table: string, lines: readonly string[]): Promise<void>;
  /** Recreates the indexes and restores the id sequences. Throws if what was written differs from the backup. */
  finish(manifest: BackupManifest): Promise<void>;
}

async function startLoading(transaction: Transaction, database: Database, header: BackupHeader): Promise<Loader> {
  const own = new Map((await readTables(transaction)).map((table) => [table.name, table]));
  const tables = Object.entries(header.tables).map(([name, columns]) => inOrderOf(columns, own.get(name), name));
  const loads = new Map<string, Load>(
    tables.map(({ name, columns }) => [name, createLoad(database, transaction, name, columns)]),
  );
  const restoreIndexes = await removeIndexes(transaction);
  // Rows that migrations insert are part of the backup.
  for (const name of own.keys()) await transaction.rowsOnce(`delete from "${name}"`);
  return {
    load: (table, lines) => loads.get(table)!(lines),
    async finish(manifest) {
      await restoreIndexes();
      for (const table of tables) await compare(transaction, table, manifest);
      for (const [table, last] of Object.entries(header.last_ids)) await continueIds(transaction, table, last);
    },
  };
}

/** The table with its columns in the order of the backup. */
function inOrderOf(names: readonly string[], table: DumpedTable | undefined, name: string): DumpedTable {
  const columns = names.flatMap((column) => table?.columns.find((own) => own.name === column) ?? []);
  if (columns.length !== names.length || columns.length !== table?.columns.length)
    throw new BackupFault(`its table ${name} does not have the columns of its schema`);
  return { name, columns, key: table.key };
}

async function compare(transaction: Transaction, table: DumpedTable, { tables }: BackupManifest): Promise<void> {
  const hash = createHash("sha256");
  for await (const { bytes } of readLines(transaction, table)) hash.update(bytes);
  if (hash.digest("hex") !== tables[table.name]!.sha256)
    throw new Error(`The table ${table.name} differs from the backup after the restore, which was rolled back.`);
}
