/**
 * Runs a PostgreSQL of its own until its stdin ends, and says where (one line of JSON): a process apart, because it must also stop
 * when the tests are killed.
 */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCluster } from "./postgres-cluster.ts";

const folder = await mkdtemp(join(tmpdir(), "crm-test-postgres-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

try {
  const server = await createCluster(folder, { max_connections: "200" });
  process.stdin.resume().once("end", () => void server.stop().finally(() => process.exit()));
  await server.start();
  process.stdout.write(`${JSON.stringify({ url: server.url, folder })}\n`);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
}
