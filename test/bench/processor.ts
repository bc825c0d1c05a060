/**
 * Processor time per request, delivery and node: of the service and of PostgreSQL apart. It changes less than seconds do
 * when the machine has other work, and says how many cores a load needs.
 */
import { readdir, readFile } from "node:fs/promises";
import type { Setting } from "./against-raw.ts";
import { connectTo } from "./connection.ts";
import type { Ground } from "./ground.ts";
import { ofDatabase, processorPrefix } from "./processor-table.ts";

/** Processor time so far, in microseconds. */
export interface Meters {
  service(): number | Promise<number>;
  /** Undefined where the database is part of the service. */
  database?: () => Promise<number>;
}

/** Tells what `work` took of the processors, divided by what it resolves to: how many it did. */
export async function tellProcessor(
  { ground, tell }: Pick<Setting, "ground" | "tell">,
  title: string,
  { service, database }: Meters,
  work: () => Promise<number>,
): Promise<void> {
  const [ours, theirs] = [await service(), await database?.()];
  const count = await work();
  const row = (of: string) => ({ what: `${processorPrefix}${title}${of}`, target: null, kind: ground.kind });
  tell({ ...row(""), value: ((await service()) - ours) / count });
  if (theirs !== undefined) tell({ ...row(ofDatabase), value: ((await database!()) - theirs) / count });
}

/** Answers a second, as `measure` gives them, and the microseconds of processor time of one; `time`: those so far. */
export async function costOf(
  time: () => number | Promise<number>,
  measure: () => Promise<number>,
): Promise<{ readonly rate: number; readonly cost: number }> {
  const [before, begun] = [await time(), performance.now()];
  const rate = await measure();
  const count = (rate * (performance.now() - begun)) / 1000;
  return { rate, cost: ((await time()) - before) / count };
}

/** Meters for a service beside this database; `service` is its own one. */
export async function metersOf(ground: Ground, url: string, service: Meters["service"]): Promise<Meters> {
  if (ground.kind === "sqlite") return { service };
  const connection = await connectTo(url);
  const [backend] = await connection.rows("select pg_backend_pid() as pid");
  const { parent } = await timesOf(Number(backend!["pid"]));
  await connection.close();
  return { service, database: () => timeOfFamily(parent) };
}

/** This process. */
export function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** One tick of /proc on Linux, in microseconds. */
const tick = 10_000;

interface Times {
  readonly parent: number;
  readonly own: number;
  /** Of its children that have ended. */
  readonly ended: number;
}

async function timesOf(pid: number | string): Promise<Times> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // After the name, which may hold anything; proc(5) counts the state, which is first here, as the third.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number): number => Number(fields[number - 3]);
  return { parent: field(4), own: (field(14) + field(15)) * tick, ended: (field(16) + field(17)) * tick };
}

export async function timeOf(pid: number): Promise<number> {
  return (await timesOf(pid)).own;
}

/** A process and all that it started, ended ones included. */
async function timeOfFamily(pid: number): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  // A process may end between the two reads: its time is then in its parent's.
  const all = await Promise.all(pids.map((one) => timesOf(one).catch(() => undefined)));
  const { own, ended } = await timesOf(pid);
  return all.reduce((sum, times) => (times?.parent === pid ? sum + times.own : sum), own + ended);
}
