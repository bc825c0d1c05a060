/**
 * Controls a PostgreSQL in a separate process: each line on stdin is a signal for the server, `freeze`, `thaw` or `start`, and is answered
 * with `done` on stdout. It ends, with everything that it started, when stdin ends.
 */
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { createCluster } from "../support/postgres-cluster.ts";

const folder = await mkdtemp(join(tmpdir(), "crm-faults-postgres-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
// Ctrl-C signals the whole process group; this process ends with stdin, which follows.
process.on("SIGINT", () => {});
// What a killed process has written is in the files nevertheless: no commit and no start waits for the disk.
const server = await createCluster(folder, { fsync: "off" });

await start();
process.stdout.write(`${server.url}\n`);
for await (const line of createInterface(process.stdin)) {
  if (line === "start") await start();
  else if (line === "freeze") toEach("SIGSTOP");
  else if (line === "thaw") toEach("SIGCONT");
  else await signal(line as NodeJS.Signals);
  process.stdout.write("done\n");
}
toEach("SIGCONT");
if (postmaster() !== undefined) await signal("SIGQUIT");
process.exit();

/** Retries, since remains of a killed server may hold its shared memory for a moment. */
async function start(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await server.start();
      return;
    } catch (error) {
      if (attempt === 100) throw new Error("PostgreSQL does not start", { cause: error });
      await sleep(100);
    }
  }
}

/** Resolves when the server is gone. */
async function signal(name: NodeJS.Signals): Promise<void> {
  const pid = postmaster();
  if (pid === undefined) return;
  // If only the postmaster were killed, its backends would still finish their statements.
  if (name === "SIGKILL") toEach(name);
  else process.kill(pid, name);
  while (isAlive(pid)) await sleep(10);
}

/** Stops the server and all of its processes: to clients it appears slow. */
function toEach(name: NodeJS.Signals): void {
  const pid = postmaster();
  if (pid === undefined) return;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  for (const one of [pid, ...children.map(Number)]) {
    try {
      process.kill(one, name);
    } catch (error) {
      // A backend may have ended since.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

function postmaster(): number | undefined {
  try {
    const pid = Number(readFileSync(join(server.data, "postmaster.pid"), "utf8").split("\n")[0]);
    return isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
