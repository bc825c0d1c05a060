/** Reads a backup and checks every part against its hash: what it passes on is complete only once it has returned. */
import { createHash } from "node:crypto";
import { hashOf, unpackParts } from "./archive.ts";
import { BackupFault } from "./backup-fault.ts";
import {
  headerName,
  keysName,
  manifestName,
  pieceOfPart,
  readHeader,
  readManifest,
  tableOfPart,
} from "./backup.format.ts";
import type { BackupHeader, BackupManifest } from "./backup.format.ts";

/** What a reader of backups is told, in the order of the archive. */
export interface BackupReader {
  /** The header; throws if this backup is not wanted. */
  begin(header: BackupHeader, masterKeys: readonly string[] | null): Promise<void>;
  /** Lines of a table. */
  table(name: string, lines: readonly string[]): Promise<void>;
  /** A piece of a file. */
  piece(key: string, number: number, bytes: Uint8Array): Promise<void>;
  /** All parts have the hashes of the manifest, and so has each table as a whole. */
  end(manifest: BackupManifest): Promise<void>;
}

/** Throws a BackupFault for an archive that is no backup, damaged, cut off, or extended. */
export async function readBackup(source: AsyncIterable<Uint8Array>, reader: BackupReader): Promise<void> {
  const seen: BackupManifest["parts"] = [];
  const hashes = new Map<string, { rows: number; readonly hash: ReturnType<typeof createHash> }>();
  let header: BackupHeader | undefined;
  let keys: readonly string[] | null = null;
  let hasBegun = false;
  let manifest: BackupManifest | undefined;

  async function begin(): Promise<void> {
    if (hasBegun) return;
    hasBegun = true;
    await reader.begin(header!, keys);
  }

  async function readTable(name: string, bytes: Uint8Array): Promise<void> {
    const table = tableOfPart(name);
    const hashed = table === undefined ? undefined : hashes.get(table);
    if (table === undefined || hashed === undefined)
      throw new BackupFault(`its part ${JSON.stringify(name)} is unknown`);
    hashed.hash.update(bytes);
    const lines = readLines(bytes, name);
    hashed.rows += lines.length;
    await reader.table(table, lines);
  }

  for await (const { name, bytes } of unpackParts(source)) {
    if (manifest !== undefined) throw new BackupFault(`its part ${JSON.stringify(name)} follows the manifest`);
    if (header === undefined) {
      if (name !== headerName) throw new BackupFault("it does not begin as a backup of crm does");
      header = readHeader(bytes);
      for (const table of Object.keys(header.tables)) hashes.set(table, { rows: 0, hash: createHash("sha256") });
    } else if (name === manifestName) {
      manifest = readManifest(bytes);
      continue;
    } else if (name === keysName) {
      keys = new TextDecoder().decode(bytes).trim().split("\n");
    } else {
      await begin();
      const piece = pieceOfPart(name);
      if (piece !== undefined) await reader.piece(piece.key, piece.number, bytes);
      else await readTable(name, bytes);
    }
    seen.push({ name, bytes: bytes.length, sha256: hashOf(bytes) });
  }
  if (header === undefined) throw new BackupFault("it is empty");
  if (manifest === undefined) throw new BackupFault("it is cut off: its manifest is missing");
  const damaged = manifest.parts.findIndex(
    (part, place) => JSON.stringify(part) !== JSON.stringify(seen[place] ?? null),
  );
  if (damaged >= 0 || seen.length !== manifest.parts.length)
    throw new BackupFault(`its part ${JSON.stringify((manifest.parts[damaged] ?? seen.at(-1))?.name)} is damaged`);
  await begin();
  for (const [table, { rows, hash }] of hashes) {
    const expected = manifest.tables[table];
    if (expected?.rows !== rows || expected.sha256 !== hash.digest("hex"))
      throw new BackupFault(`its table ${table} is not complete`);
  }
  await reader.end(manifest);
}

function readLines(bytes: Uint8Array, name: string): string[] {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  if (!text.endsWith("\n")) throw new BackupFault(`its part ${JSON.stringify(name)} is cut off`);
  return text.slice(0, -1).split("\n");
}
