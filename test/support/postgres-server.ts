/**
 * Runs a PostgreSQL of its own until its stdin ends, and says where (one line of JSON): a process apart, because it must also stop
 * when the tests are killed. What it stores lies in the folder of memory that is named, else below the system's temporary one.
 */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCluster } from "./postgres-cluster.ts";

const folder = await mkdtemp(join(tmpdir(), "crm-test-postgres-"));
const [, , memory] = process.argv;
const dataFolder = await mkdtemp(join(memory ?? tmpdir(), "crm-test-"));
process.once("exit", () => {
  for (const own of [folder, dataFolder]) rmSync(own, { recursive: true, force: true });
});

try {
  const server = await createCluster(
    folder,
    // Memory holds little of what is only there for a crash.
    { max_connections: "200", ...(memory === undefined ? {} : { max_wal_size: "256MB" }) },
    dataFolder,
  );
  process.stdin.resume().once("end", () => void server.stop().finally(() => process.exit()));
  await server.start();
  process.stdout.write(`${JSON.stringify({ url: server.url, folder, databaseFolder: dataFolder })}\n`);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
}
