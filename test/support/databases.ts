/** Databases for tests, each test its own: both kinds, migrated or empty, made in milliseconds from a template. */
import { randomBytes } from "node:crypto";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { entities } from "../../src/entities.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { makeOdd, oddDefaults } from "./odd-databases.ts";
import { administrate, databaseUrl } from "./postgres.ts";

export const databaseKinds = ["sqlite", "postgres"] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

export interface FreshDatabase {
  /** For CRM_DATABASE_URL. */
  readonly url: string;
  /** A folder of this database alone, also usable as a data folder. */
  readonly directory: string;
  drop(): Promise<void>;
}

/** A database with the current schema, unless it is not `migrated`, and nothing in it; or a copy of the `template`. */
export async function freshDatabase(
  kind: DatabaseKind,
  { migrated = true, template }: { migrated?: boolean; template?: string } = {},
): Promise<FreshDatabase> {
  const directory = await mkdtemp(join(inject("databaseFolder"), "crm-test-"));
  const removeFolder = () => rm(directory, { recursive: true, force: true });
  if (kind === "sqlite") {
    const path = join(directory, "crm.db");
    if (migrated) await copyFile(template ?? inject("sqliteTemplate"), path);
    if (inject("odd")) makeOdd(path);
    return { url: `sqlite:${path}`, directory, drop: removeFolder };
  }
  const serverUrl = inject("postgresUrl");
  const name = `crm_test_${randomBytes(6).toString("hex")}`;
  const copied = template ?? (migrated ? inject("postgresTemplate") : "template1");
  await administrate(serverUrl, `create database ${name} template ${copied} ${inject("postgresCopying")}`);
  if (inject("odd")) await administrate(serverUrl, oddDefaults(name));
  return {
    url: databaseUrl(serverUrl, name),
    directory,
    async drop() {
      await administrate(serverUrl, `drop database if exists ${name} with (force)`);
      await removeFolder();
    },
  };
}

/** A fresh database and connections to it; `await using` closes them and drops it. */
export interface OpenedDatabase extends AsyncDisposable {
  readonly database: Database;
  readonly url: string;
  readonly directory: string;
  /** Opens it once more, as another process would. */
  openAgain(): Promise<Database>;
}

export async function openFresh(kind: DatabaseKind, { migrated = true } = {}): Promise<OpenedDatabase> {
  const { url, directory, drop } = await freshDatabase(kind, { migrated });
  const opened: Database[] = [];
  const open = async () => {
    const database = await openDatabase(url, entities);
    opened.push(database);
    return database;
  };
  return {
    database: await open(),
    url,
    directory,
    openAgain: open,
    async [Symbol.asyncDispose]() {
      for (const database of opened) await database.close();
      await drop();
    },
  };
}
