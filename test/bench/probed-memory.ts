/** Reads what memory-probe.ts tells of the process that it was loaded into. */
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import type { RunningProcess } from "../support/node-process.ts";

/** MiB. */
export interface Memory {
  /** What the system counts, Node and its libraries included. */
  readonly resident: number;
  /** What V8 has taken for objects, and how much of it they fill. */
  readonly heap: number;
  readonly used: number;
  /** What objects hold outside of it, buffers included. */
  readonly external: number;
}

/** Options of Node that load the probe. */
export const probed: readonly string[] = ["--import", join(import.meta.dirname, "memory-probe.ts")];

/** The last that was told. */
export function readMemory(running: RunningProcess): Memory {
  return lastOf(running, "memory") ?? fail("the probe has told nothing yet");
}

/** What is in use when everything that is not has been collected. */
export async function collectMemory(running: RunningProcess): Promise<Memory> {
  const before = count(running);
  running.signal("SIGUSR2");
  for (let time = 0; time < 1200; time++) {
    if (count(running) > before) return lastOf(running, "collected")!;
    await sleep(50);
  }
  return fail("the probe did not answer within a minute");
}

function count(running: RunningProcess): number {
  return running.printed().stderr.split("\ncollected ").length;
}

function lastOf(running: RunningProcess, name: string): Memory | undefined {
  const { stderr } = running.printed();
  const told = [...stderr.matchAll(new RegExp(`^${name} (.+)\\n`, "gm"))].at(-1)?.[1]?.split(" ").map(Number);
  if (told === undefined) return undefined;
  const [resident = 0, heap = 0, used = 0, external = 0] = told;
  return { resident, heap, used, external };
}

function fail(what: string): never {
  throw new Error(what);
}
