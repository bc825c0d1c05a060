/** A Redis server of its own on loopback, as durable as a commit: `appendfsync always`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { startProcess } from "../../support/node-process.ts";

export interface Redis extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

const timeoutSeconds = 3600;

/** Needs `redis-server` in PATH. */
export async function startRedis(): Promise<Redis> {
  const folder = await mkdtemp(join(tmpdir(), "crm-redis-"));
  const port = await freePort();
  const options = { bind: "127.0.0.1", port, dir: folder, appendonly: "yes", appendfsync: "always", save: "" };
  const parameters = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const running = startProcess("redis-server", parameters, { timeoutSeconds });
  await running.match(/Ready to accept connections/);
  return {
    port,
    pid: running.pid,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
