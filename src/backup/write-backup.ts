/** Writes a backup: one moment of the database, read while others go on changing it, and the files of that moment, which never change. */
import { createHash } from "node:crypto";
import type { Blobs } from "../blobs/blobs.ts";
import type { Database } from "../storage/database.ts";
import { readLines } from "../storage/dump/table-lines.ts";
import { ownTables, readLastIds, readTables } from "../storage/dump/tables.ts";
import { requireKnownSchema } from "../storage/migrations/migrate.ts";
import { stemOf } from "../storage/migrations/migration-files.ts";
import type { Rows } from "../storage/rows.ts";
import { hashOf } from "./archive.ts";
import type { ArchivePart } from "./archive.ts";
import { headerName, keysName, manifestName, newHeader, tablePartName } from "./backup.format.ts";
import type { BackupManifest } from "./backup.format.ts";
import { readStoredFiles } from "./stored-files.ts";
import type { FileCounts } from "./stored-files.ts";

export interface BackupOptions {
  /** The version of crm. */
  readonly version: string;
  readonly at: Date;
  /** The master keys, to be part of the backup; null leaves them out. */
  readonly masterKeys: readonly string[] | null;
  /** The tables of this program, by default those of the entities that `database` was opened with. */
  readonly own?: ReadonlySet<string>;
  /** The store of attachments. */
  readonly blobs: Blobs;
  /** Called with the rows written so far and their total. */
  readonly progress?: (done: number, total: number) => void;
}

/** What a backup holds. */
export interface BackupSummary extends Readonly<FileCounts> {
  readonly rows: number;
  readonly position: number;
}

/**
 * The parts of a backup. The schema may be older than this program, so that a backup can be made before an upgrade; a newer one is refused, and
 * so is a database that is not set up. At most one batch
 * of rows or one piece of a file is in memory.
 */
export async function writeBackup(
  database: Database,
  { version, at, masterKeys, blobs, own = ownTables(database), progress = () => {} }: BackupOptions,
  write: (parts: AsyncIterable<ArchivePart>) => Promise<void>,
): Promise<BackupSummary> {
  const schema = (await requireKnownSchema(database)).applied.map(stemOf);
  return database.snapshot(async (rows) => {
    const tables = await readTables(rows, own);
    const position = await readPosition(rows);
    const total = await countRows(
      rows,
      tables.map(({ name }) => name),
    );
    const header = newHeader({
      crm: version,
      taken_at: at.toISOString(),
      database: database.dialect,
      schema,
      position,
      secret_check: await readSecretCheck(rows),
      tables: Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)])),
      last_ids: await readLastIds(rows, tables),
    });
    const manifest: BackupManifest = { parts: [], tables: {} };
    const counts: FileCounts = { files: 0, missing_files: 0 };
    let done = 0;

    function part(name: string, bytes: Uint8Array): ArchivePart {
      manifest.parts.push({ name, bytes: bytes.length, sha256: hashOf(bytes) });
      return { name, bytes };
    }

    async function* parts(): AsyncGenerator<ArchivePart> {
      yield part(headerName, json(header));
      if (masterKeys !== null) yield part(keysName, Buffer.from(`${masterKeys.join("\n")}\n`));
      for (const table of tables) {
        const hash = createHash("sha256");
        let [count, number] = [0, 0];
        for await (const batch of readLines(rows, table)) {
          hash.update(batch.bytes);
          count += batch.count;
          yield { ...part(tablePartName(table.name, ++number), batch.bytes), isSpent: batch.isOwn };
          progress((done += batch.count), total);
        }
        manifest.tables[table.name] = { rows: count, sha256: hash.digest("hex") };
      }
      // An older schema has none.
      if (tables.some(({ name }) => name === "attachments"))
        for await (const { name, bytes } of readStoredFiles(rows, blobs, counts)) yield part(name, bytes);
      yield { name: manifestName, bytes: json(manifest) };
    }

    await write(parts());
    return { rows: done, position, ...counts };
  });
}

function json(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

async function readPosition(rows: Rows): Promise<number> {
  const [log] = await rows.rowsOnce<{ last_position: number }>("select last_position from event_log");
  return log?.last_position ?? 0;
}

async function readSecretCheck(rows: Rows): Promise<string> {
  const [row] = await rows.rowsOnce<{ secret_check: string }>("select secret_check from installation where id = 1");
  if (row === undefined) throw new Error('This database is not set up: run "crm setup" (or "crm serve") first.');
  return row.secret_check;
}

/** In one statement over the names of tables, which the schema gives. */
async function countRows(rows: Rows, tables: readonly string[]): Promise<number> {
  const counts = tables.map((name) => `(select count(*) from "${name}")`);
  const [found] = await rows.rowsOnce<{ total: number }>(`select ${counts.join(" + ")} as total`);
  return Number(found!.total);
}
