/** A PostgreSQL whose settings trade safety for speed: it loses data in a crash of its machine, and has no replicas. */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities } from "../../src/entities.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { createCluster } from "./postgres-cluster.ts";

const settings = { fsync: "off", full_page_writes: "off", wal_level: "minimal", max_wal_senders: "0" };

/** Its database, which is empty; `await using` stops the server and removes its files. */
export async function openCarelessPostgres(): Promise<AsyncDisposable & { readonly database: Database }> {
  const folder = await mkdtemp(join(tmpdir(), "crm-careless-postgres-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  const server = await createCluster(folder, settings);
  await server.start();
  const database = await openDatabase(server.url, entities);
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await server.stop();
      remove();
      process.off("exit", remove);
    },
  };
}
