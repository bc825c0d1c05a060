/** Databases of each kind that `crm setup` has set up, once for a whole run: tests copy them (tested-system.ts). */
import { copyFile, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { runCrm } from "../support/node-process.ts";
import type { Finished } from "../support/node-process.ts";
import { administrate, databaseUrl } from "../support/postgres.ts";

/** What `crm setup` made. */
export interface SetUp {
  readonly key: string;
  readonly location: number;
}

/** To copy: a file of SQLite or the name of a database of PostgreSQL, and the key in its data folder. */
export interface SetUpTemplate extends SetUp {
  readonly database: string;
  readonly secretKey: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    setUpTemplates: Readonly<Record<"sqlite" | "postgres", SetUpTemplate>>;
  }
}

/** `run`: `crm` on an empty or migrated database. */
export async function setUp(run: (...parameters: readonly string[]) => Promise<Finished>): Promise<SetUp> {
  const { code, stdout, stderr } = await run(
    "setup",
    "--workspace",
    "Acme",
    "--location",
    "Main",
    "--owner-email",
    "ada@acme.example",
    "--json",
  );
  if (code !== 0) throw new Error(`set-up failed: ${stderr}`);
  const made = JSON.parse(stdout) as { location: { id: number }; api_key: { key: string } };
  return { key: made.api_key.key, location: made.location.id };
}

async function templateIn(folder: string, url: string, database: string): Promise<SetUpTemplate> {
  const environment = { CRM_DATABASE_URL: url, CRM_DATA_DIR: folder };
  const made = await setUp((...parameters) => runCrm(parameters, { environment, directory: folder }));
  return { ...made, database, secretKey: join(folder, "secret.key") };
}

/** vitest calls this once for each project, after the server is started (test/support/postgres.ts). */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const provided = project.getProvidedContext();
  if ("setUpTemplates" in provided) return undefined;
  const { postgresUrl, postgresTemplate, sqliteTemplate, databaseFolder } = provided;
  const folders = [await mkdtemp(join(databaseFolder, "set-up-")), await mkdtemp(join(databaseFolder, "set-up-"))];
  const file = join(folders[0]!, "crm.db");
  await copyFile(sqliteTemplate, file);
  const name = `${postgresTemplate}_set_up`;
  await administrate(postgresUrl, `create database ${name} template ${postgresTemplate}`);
  const drop = () => administrate(postgresUrl, `drop database if exists ${name} with (force)`);
  try {
    const [sqlite, postgres] = await Promise.all([
      templateIn(folders[0]!, `sqlite:${file}`, file),
      templateIn(folders[1]!, databaseUrl(postgresUrl, name), name),
    ]);
    project.vitest.provide("setUpTemplates", { sqlite, postgres });
  } catch (error) {
    await drop();
    throw error;
  }
  return drop;
}
