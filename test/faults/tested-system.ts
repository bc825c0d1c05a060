/** A database, real processes that use it, and access to it from outside. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { entities } from "../../src/entities.ts";
import { embeddedPath, openDatabase } from "../../src/storage/open-database.ts";
import type { Value } from "../../src/storage/value.ts";
import { freshDatabase } from "../support/databases.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { runCrm, startCrm } from "../support/node-process.ts";
import type { Finished, RunningProcess } from "../support/node-process.ts";
import { setUp } from "./set-up.ts";
import type { SetUp } from "./set-up.ts";
import { until } from "./until.ts";

/** A database, and a folder for the service's other files. */
export interface Place {
  readonly url: string;
  readonly directory: string;
  drop(): Promise<void>;
}

export interface RunningServe {
  readonly url: string;
  readonly process: RunningProcess;
  /**
   * kill -9; resolves when the process and its sessions are gone: PostgreSQL still finishes statements it has received, so a check before that
   * could see two different states. No other process may use the database then.
   */
  kill(): Promise<void>;
  /** SIGTERM; resolves to the exit status. */
  terminate(): Promise<Finished>;
}

/** `await using` ends its processes and drops its database. */
export interface TestedSystem extends AsyncDisposable {
  readonly place: Place;
  readonly key: string;
  readonly location: number;
  readonly environment: Readonly<Record<string, string>>;
  run(...parameters: readonly string[]): Promise<Finished>;
  start(...parameters: readonly string[]): RunningProcess;
  /** `crm serve` on a free port, unless `parameters` name one; resolves when it listens. */
  serve(...parameters: readonly string[]): Promise<RunningServe>;
  /** Rows through the test's own connection, which is closed again. */
  rows<Row>(text: string, params?: readonly Value[]): Promise<Row[]>;
}

/** Longer than any test: a process that still runs then is killed. */
const timeoutSeconds = 300;

/** On a database that is set up. */
export async function openSystem(
  kind: DatabaseKind,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestedSystem> {
  const { database, secretKey, ...made } = inject("setUpTemplates")[kind];
  const place = await freshDatabase(kind, { template: database });
  await copyFile(secretKey, join(place.directory, "secret.key"));
  return systemIn(place, made, environment);
}

/** On a copy of the database of a system, which no process uses meanwhile. */
export async function copySystem(
  { place: { url, directory }, key, location }: TestedSystem,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestedSystem> {
  const file = embeddedPath(url);
  const place =
    file === undefined
      ? await freshDatabase("postgres", { template: new URL(url).pathname.slice(1) })
      : await freshDatabase("sqlite", { template: file });
  await copyFile(join(directory, "secret.key"), join(place.directory, "secret.key"));
  return systemIn(place, { key, location }, environment);
}

/** The same in a folder and database of the caller, which are empty. */
export async function openSystemIn(place: Place, more: Readonly<Record<string, string>> = {}): Promise<TestedSystem> {
  return systemIn(place, await setUp(systemIn(place, { key: "", location: 0 }, more).run), more);
}

/** The same where the key and the location exist, or will: after a restore. */
export function systemIn(
  place: Place,
  { key, location }: SetUp,
  more: Readonly<Record<string, string>> = {},
): TestedSystem {
  const environment = {
    CRM_DATABASE_URL: place.url,
    CRM_DATA_DIR: place.directory,
    CRM_RATE_LIMIT: "off",
    CRM_LOG_FORMAT: "json",
    // Logs output caused by faults, but not starts and stops.
    CRM_LOG_LEVEL: "warn",
    ...more,
  };
  const options = { environment, directory: place.directory, timeoutSeconds };
  const processes: RunningProcess[] = [];
  const start = (...parameters: readonly string[]): RunningProcess => {
    const started = startCrm(parameters, options);
    processes.push(started);
    return started;
  };
  const run = (...parameters: readonly string[]) => runCrm(parameters, { ...options, timeoutSeconds: 60 });
  async function rows<Row>(text: string, params: readonly Value[] = []): Promise<Row[]> {
    const database = await openDatabase(place.url, entities);
    try {
      return await database.rowsOnce<Row>(text, params);
    } finally {
      await database.close();
    }
  }
  async function sessions(): Promise<number> {
    const [others] = await rows<{ count: number }>(
      `select cast(count(*) as integer) as count from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    return others!.count;
  }
  return {
    place,
    key,
    location,
    environment,
    run,
    start,
    async serve(...parameters) {
      const port = parameters.includes("--port") ? [] : ["--port", "0"];
      const process = start("serve", ...port, ...parameters);
      const [, url] = await process.match(/crm listening on (\S+)/);
      return {
        url: url!,
        process,
        async kill() {
          process.signal("SIGKILL");
          await process.finished;
          if (!place.url.startsWith("sqlite:"))
            await until("its sessions are gone", async () => (await sessions()) === 0);
        },
        terminate() {
          process.signal("SIGTERM");
          return process.finished;
        },
      };
    },
    rows,
    async [Symbol.asyncDispose]() {
      for (const process of processes) await process[Symbol.asyncDispose]();
      await place.drop();
    },
  };
}
