/** Starts the two servers that are compared, as real processes, and tells what memory they take. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createMasterKeys, mintMasterKey } from "../../src/kit/secrets/master-keys.ts";
import { startNode } from "../support/node-process.ts";
import type { RunningProcess } from "../support/node-process.ts";

/** The master key of every process of this run. */
export const secretKeys = mintMasterKey();

export interface Server extends AsyncDisposable {
  readonly port: number;
  readonly running: RunningProcess;
  /** Resident memory in MiB, files that are mapped included. */
  memory(): Promise<number>;
}

/** Longer than any benchmark, so that nothing can be left running. */
const timeoutSeconds = 3600;
const executable = join(import.meta.dirname, "../../bin/crm.js");

interface ServiceOptions {
  readonly directory: string;
  readonly worker: boolean;
  /** More of Node's own options, such as those of its profiler. */
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** `crm serve`, with a rate limit that is counted and never reached. */
export function startService(
  url: string,
  { directory, worker, nodeOptions = [], environment: more = {} }: ServiceOptions,
): Promise<Server> {
  const environment = { ...serviceEnvironment(url), CRM_WORKER: worker ? "on" : "off", ...more };
  return listening(startNode([...nodeOptions, executable, "serve"], { environment, directory, timeoutSeconds }));
}

/** `crm worker`, from when it runs. */
export async function startWorker(
  url: string,
  { directory, environment = {} }: Pick<ServiceOptions, "directory" | "environment">,
): Promise<RunningProcess> {
  const options = { environment: { ...serviceEnvironment(url), ...environment }, directory, timeoutSeconds };
  const running = startNode([executable, "worker"], options);
  await running.match(/crm worker running/);
  return running;
}

/**
 * Warms the compile cache for later starts, which the package ships warm: the first start from a clone erases the types of
 * every file, for which Node takes about 100 MiB that it never frees.
 */
export async function startOnce(url: string, directory: string): Promise<void> {
  const service = await startService(url, { directory, worker: true });
  await service[Symbol.asyncDispose]();
}

function serviceEnvironment(url: string): Record<string, string> {
  return {
    CRM_DATABASE_URL: url,
    CRM_SECRET_KEYS: secretKeys,
    CRM_PORT: "0",
    CRM_RATE_LIMIT: "999999999/1s",
    CRM_LOG_LEVEL: "error",
  };
}

/** The same answers without anything of ours. */
export function startRaw(url: string, place: { directory: string }): Promise<Server> {
  return startLimit("raw-server.ts", url, place);
}

/** The same answers by nothing but Node and the driver. */
export function startBare(url: string, place: { directory: string }): Promise<Server> {
  return startLimit("bare-server.ts", url, place);
}

/** Parses and commits mails. */
export function startRawMails(url: string, place: { directory: string }): Promise<Server> {
  return startLimit("raw-mail-server.ts", url, place);
}

function startLimit(script: string, url: string, { directory }: { directory: string }): Promise<Server> {
  const cursorKey = createMasterKeys([secretKeys]).derive("cursors").toString("hex");
  const environment = { BENCH_DATABASE_URL: url, BENCH_CURSOR_KEY: cursorKey };
  return listening(startNode([join(import.meta.dirname, script)], { environment, directory, timeoutSeconds }));
}

async function listening(running: RunningProcess): Promise<Server> {
  const [, port] = await running.match(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
  let stopping = false;
  // A crash is logged here, since clients only see a refused connection.
  running.finished.then(
    ({ code, signal, stderr }) => stopping || console.error(`A server ended by itself (${code ?? signal}): ${stderr}`),
    (error: unknown) => console.error(error),
  );
  return {
    port: Number(port),
    running,
    async memory() {
      const status = await readFile(`/proc/${running.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
    async [Symbol.asyncDispose]() {
      stopping = true;
      running.signal("SIGTERM");
      await running.finished;
    },
  };
}
