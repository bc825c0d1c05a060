/** Keeps what was measured in full, row by row, so that a run of some rows renews these and leaves the others as they were found. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeDocument } from "./document.ts";
import { toTables } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { isProcessorTime, toProcessorTable } from "./processor-table.ts";

const path = join(import.meta.dirname, "record.json");

/** A finding, and when and on what it was found. */
interface Recorded extends Finding {
  readonly day: string;
  readonly machine: string;
}

/** Replaces what was found before of the same things, adds the rest, and writes the tables of docs/performance.md anew. */
export async function record(findings: readonly Finding[], day: string, machine: string): Promise<void> {
  const kept = new Map((await readRecord()).map((found) => [nameOf(found), found]));
  for (const found of findings) kept.set(nameOf(found), { ...found, day, machine });
  const all = [...kept.values()];
  await writeFile(path, `${JSON.stringify(all, null, 2)}\n`);
  const machines = machinesOf(all);
  const marked = all.map((found) => ({ ...found, mark: markOf(machines.indexOf(machineOf(found))) }));
  const runs = machines.map((machine, place) => describeRuns(machine, marked, markOf(place)));
  const { true: times = [], false: others = [] } = Object.groupBy(marked, (found) => `${isProcessorTime(found)}`);
  await writeDocument("measured", `Measured ${runs.join("; ")}.\n\n${toTables(others)}`);
  await writeDocument("processor", toProcessorTable(times));
}

/** Without the load before the run, which stays in record.json. */
function machineOf({ machine }: Recorded): string {
  return machine.split(";")[0]!;
}

/** That of most findings first. */
function machinesOf(all: readonly Recorded[]): string[] {
  const machines = Map.groupBy(all, machineOf);
  return [...machines].toSorted(([, one], [, other]) => other.length - one.length).map(([machine]) => machine);
}

function markOf(place: number): string {
  return "†".repeat(place);
}

/** The machine, the versions of the databases, and the first and the last day. */
function describeRuns(machine: string, all: readonly Recorded[], mark: string): string {
  const found = all.filter((one) => machineOf(one) === machine);
  const days = found.map(({ day }) => day).toSorted();
  const span = days[0] === days.at(-1) ? `on ${days[0]}` : `from ${days[0]} to ${days.at(-1)}`;
  const databases = new Set(found.flatMap((one) => one.machine.match(/(?:SQLite|PostgreSQL) [\d.]+\d/g) ?? []));
  const values = mark === "" ? "" : `values with ${mark} `;
  return `${values}on ${machine}, ${[...databases].toSorted().join(", ")}, ${span}`;
}

async function readRecord(): Promise<Recorded[]> {
  return JSON.parse(await readFile(path, "utf8")) as Recorded[];
}

/** What makes two findings answers to one question. */
function nameOf({ what, kind, ofBare }: Finding): string {
  return JSON.stringify([what, kind, ofBare === true]);
}
