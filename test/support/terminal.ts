/** Runs `crm` in isolation: on a database and in a folder of the test's own. */
import { expect } from "vitest";
import { entities } from "../../src/entities.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { freshDatabase } from "./databases.ts";
import type { DatabaseKind } from "./databases.ts";
import type { Finished, ProcessOptions } from "./node-process.ts";
import { runInSession } from "./terminal-session.ts";

export interface Terminal {
  readonly environment: Record<string, string>;
  readonly directory: string;
  /** One after the other, in one process (terminal-session.ts); `runCrm` is for what is asked of a process. */
  run(parameters: readonly string[], options?: ProcessOptions): Promise<Finished>;
  /** Runs with --json and gives what it printed; fails unless it exits 0 with that alone on stdout. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the parsed result, looked into freely
  json(...parameters: readonly string[]): Promise<any>;
  close(): Promise<void>;
}

export async function createTerminal(kind: DatabaseKind): Promise<Terminal> {
  const { url, directory, drop } = await freshDatabase(kind);
  const environment = { CRM_DATABASE_URL: url, CRM_DATA_DIR: directory };
  const run: Terminal["run"] = (parameters, options = {}) =>
    runInSession(parameters, { environment, directory, ...options });
  return {
    environment,
    directory,
    run,
    async json(...parameters) {
      const { code, stdout, stderr } = await run([...parameters, "--json"]);
      expect({ code, stderr }, parameters.join(" ")).toEqual({ code: 0, stderr: "" });
      return JSON.parse(stdout);
    },
    close: drop,
  };
}

/** Opens the database of a terminal, for what a test looks at or changes itself. */
export async function inDatabaseOf<Result>(
  { environment }: Terminal,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(environment["CRM_DATABASE_URL"]!, entities);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Sets up "Acme" with "Main Street" and ada@acme.example; what `crm setup --json` printed. */
export function setUpAcme(terminal: Terminal) {
  return terminal.json(
    "setup",
    "--workspace",
    "Acme",
    "--location",
    "Main Street",
    "--owner-email",
    "ada@acme.example",
  );
}
