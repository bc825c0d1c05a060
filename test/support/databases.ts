/** Fresh databases of both kinds, made and dropped in milliseconds; every suite runs over the list of kinds. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { entities } from "../../src/entities.ts";
import { migrateUp } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";

export const databaseKinds = ["sqlite", "postgres"] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

export interface FreshDatabase {
  readonly url: string;
  /** A folder of its own, for whatever else a service keeps. */
  readonly directory: string;
  drop(): Promise<void>;
}

let serial = 0;
const uniqueName = (): string => `crm_${process.pid}_${Date.now().toString(36)}_${(serial += 1)}`;

/** A database without a table. */
export async function emptyDatabase(kind: DatabaseKind): Promise<FreshDatabase> {
  return create(kind, undefined);
}

/** A database with today's schema: a copy of one that was migrated once for this process. */
export async function freshDatabase(kind: DatabaseKind): Promise<FreshDatabase> {
  templates[kind] ??= makeTemplate(kind);
  return create(kind, await templates[kind]);
}

const templates: Partial<Record<DatabaseKind, Promise<FreshDatabase>>> = {};

async function makeTemplate(kind: DatabaseKind): Promise<FreshDatabase> {
  const template = await create(kind, undefined);
  const database = await openDatabase(template.url, entities);
  await migrateUp(database);
  await database.close();
  return template;
}

async function create(kind: DatabaseKind, template: FreshDatabase | undefined): Promise<FreshDatabase> {
  const directory = await mkdtemp(join(tmpdir(), "crm-test-"));
  const removeFolder = () => rm(directory, { recursive: true, force: true });
  if (kind === "sqlite") {
    const path = join(directory, "crm.db");
    if (template !== undefined) await copyFile(template.url.slice("sqlite:".length), path);
    return { url: `sqlite:${path}`, directory, drop: removeFolder };
  }
  const name = uniqueName();
  const from = template === undefined ? "" : ` template "${new URL(template.url).pathname.slice(1)}"`;
  await onServer(`create database "${name}"${from}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    directory,
    async drop() {
      await onServer(`drop database if exists "${name}" with (force)`);
      await removeFolder();
    },
  };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
