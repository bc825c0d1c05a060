/** The format of a backup: a header as its first part, tables as lines of JSON, pieces of files, and a manifest as its last part. */
import { z } from "zod";
import { BackupFault } from "./backup-fault.ts";

/** Raised when an older crm could no longer read what a newer one writes. */
const format = 1;

export const headerName = "backup.json";
export const manifestName = "manifest.json";
export const keysName = "secret.key";

/** The name of the nth part of a table. */
export function tablePartName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, "0")}.jsonl`;
}

/** The table of a part; undefined for another part. */
export function tableOfPart(name: string): string | undefined {
  return /^tables\/(\w+)\/\d+\.jsonl$/.exec(name)?.[1];
}

/** The name of a piece of a file; `number` from 0. */
export function filePartName(key: string, number: number): string {
  return `files/${key}/${String(number).padStart(6, "0")}`;
}

/** The piece of a part; undefined for another part. Keys are UUIDs, so that no name leaves the store. */
export function pieceOfPart(name: string): { readonly key: string; readonly number: number } | undefined {
  const [, key, number] = /^files\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/(\d{6})$/.exec(name) ?? [];
  return key === undefined ? undefined : { key, number: Number(number) };
}

const headerShape = z.strictObject({
  format: z.literal(format),
  /** The version of crm that wrote it. */
  crm: z.string(),
  taken_at: z.iso.datetime(),
  /** The kind of database that it was taken from. */
  database: z.string(),
  /** The applied migrations by the names that they have on both databases. */
  schema: z.array(z.string()).min(1),
  /** The position up to which the event log is complete. */
  position: z.int(),
  /** A text under the master key, to recognize it. */
  secret_check: z.string(),
  /** Names of columns, in the order of the values in a line. */
  tables: z.record(z.string(), z.array(z.string())),
  /** The highest id that each table has assigned. */
  last_ids: z.record(z.string(), z.int()),
});

export type BackupHeader = z.infer<typeof headerShape>;

const manifestShape = z.strictObject({
  /** In the order of the archive, the manifest itself excepted. */
  parts: z.array(z.strictObject({ name: z.string(), bytes: z.int(), sha256: z.string() })),
  /** The hash covers all lines of a table, however they are split into parts. */
  tables: z.record(z.string(), z.strictObject({ rows: z.int(), sha256: z.string() })),
});

export type BackupManifest = z.infer<typeof manifestShape>;

export function newHeader(header: Omit<BackupHeader, "format">): BackupHeader {
  return { format, ...header };
}

/** Throws a BackupFault for a text that is no header, or one of a newer format. */
export function readHeader(bytes: Uint8Array): BackupHeader {
  const given = readJson(bytes) as { format?: unknown } | null;
  if (typeof given?.format === "number" && given.format > format)
    throw new BackupFault("a newer version of crm wrote it; use that version");
  return parse(headerShape, given, headerName);
}

export function readManifest(bytes: Uint8Array): BackupManifest {
  return parse(manifestShape, readJson(bytes), manifestName);
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

function parse<Shape extends z.ZodType>(shape: Shape, given: unknown, name: string): z.output<Shape> {
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new BackupFault(`its ${name} is not in the form that this version of crm knows`);
}
