/**
 * One PostgreSQL for a whole run of the tests, migrated once into a template: started here and stopped when the run
 * ends or is interrupted, or the server of CRM_TEST_POSTGRES_URL. It forgets nothing at a commit: fsync is on. A run that asks for it
 * has it in memory, where a database is made in a tenth of the time.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants, statfsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { entities } from "../../src/entities.ts";
import { migrateUp } from "../../src/storage/migrations/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A database in which databases may be made and dropped. */
    postgresUrl: string;
    /** The name of a migrated database to copy. */
    postgresTemplate: string;
    /** How a database is copied: words for the end of `create database`. */
    postgresCopying: string;
    /** A migrated file to copy. */
    sqliteTemplate: string;
    /** Where the folders of databases lie. */
    databaseFolder: string;
    /** Whether databases are made odd (odd-databases.ts). */
    odd: boolean;
    /** Whether databases are stored in memory, where there is enough of it. */
    inMemory: boolean;
  }
}

/** vitest calls this once for each project, before the first test file; what it returns, after the last. The first project starts the server for all. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ("postgresUrl" in project.getProvidedContext()) return undefined;
  const given = process.env["CRM_TEST_POSTGRES_URL"];
  const server =
    given === undefined
      ? await startServer({ inMemory: project.getProvidedContext().inMemory })
      : await useServer(given);
  const template = `crm_template_${randomBytes(6).toString("hex")}`;
  const teardown = async () => {
    // A server that is not ours is left as it was found.
    if (given !== undefined) await administrate(given, `drop database if exists ${template} with (force)`);
    await server.stop();
  };
  try {
    await administrate(server.url, `create database ${template}`);
    const sqliteTemplate = join(server.folder, "template.db");
    await migrated(databaseUrl(server.url, template));
    await migrated(`sqlite:${sqliteTemplate}`);
    project.vitest.provide("postgresUrl", server.url);
    project.vitest.provide("postgresTemplate", template);
    // By its files that takes a third of the time in memory, and longer on a disk.
    project.vitest.provide("postgresCopying", server.isInMemory ? "strategy file_copy" : "");
    project.vitest.provide("sqliteTemplate", sqliteTemplate);
    project.vitest.provide("databaseFolder", server.databaseFolder);
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

export interface Server {
  readonly url: string;
  /** For the run's own files; gone after `stop`. */
  readonly folder: string;
  /** For databases beside its own; gone after `stop`. */
  readonly databaseFolder: string;
  readonly isInMemory: boolean;
  stop(): Promise<void>;
}

async function useServer(url: string): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "crm-test-"));
  return { url, folder, databaseFolder: folder, isInMemory: false, stop: () => rm(folder, { recursive: true }) };
}

/** What has to be free in memory before anything is stored there: several times what the tests ever need. */
const plenty = 4 * 1024 ** 3;

/** A folder of Linux that lies in memory; undefined where there is none, or too little of it. */
function findMemory(): string | undefined {
  const folder = "/dev/shm";
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, process.availableMemory()) > plenty ? folder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The server lives as long as the pipe to it: it stops, and clears up, even when this process is killed. `support` is the folder
 * of this file, or a copy of it.
 */
export async function startServer({ support = import.meta.dirname, inMemory = false } = {}): Promise<Server> {
  const memory = inMemory ? findMemory() : undefined;
  const parameters = [join(support, "postgres-server.ts"), ...(memory === undefined ? [] : [memory])];
  const child = spawn(process.execPath, parameters, {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: support,
    detached: true,
  });
  const ended = once(child, "exit");
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  for await (const line of createInterface(child.stdout)) {
    return { ...(JSON.parse(line) as Omit<Server, "isInMemory" | "stop">), isInMemory: memory !== undefined, stop };
  }
  throw new Error("PostgreSQL did not start");
}
