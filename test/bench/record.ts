/** Keeps what was measured in full, row by row, so that a run of some rows renews these and leaves the others as they were found. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeDocument } from "./document.ts";
import { toTables } from "./findings.ts";
import type { Finding } from "./findings.ts";

const path = join(import.meta.dirname, "record.json");

/** A finding, and when and on what it was found. */
interface Recorded extends Finding {
  readonly day: string;
  readonly machine: string;
}

/** Replaces what was found before of the same things, adds the rest, and writes the table of docs/performance.md anew. */
export async function record(findings: readonly Finding[], day: string, machine: string): Promise<void> {
  const kept = new Map((await readRecord()).map((found) => [nameOf(found), found]));
  for (const found of findings) kept.set(nameOf(found), { ...found, day, machine });
  const all = [...kept.values()];
  await writeFile(path, `${JSON.stringify(all, null, 2)}\n`);
  await writeDocument("measured", `${describeRuns(all).join("\n")}\n\n${toTables(all)}`);
}

/** A line per machine: the days, and the versions of the databases. The load before each run stays in record.json. */
function describeRuns(all: readonly Recorded[]): string[] {
  const machines = Map.groupBy(all, ({ machine }) => machine.split(";")[0]!);
  return [...machines].map(([machine, found]) => {
    const days = [...new Set(found.map(({ day }) => day))].toSorted();
    const databases = new Set(found.flatMap((one) => one.machine.match(/(?:SQLite|PostgreSQL) [\d.]+\d/g) ?? []));
    return `Measured on ${days.join(" and ")} on ${machine}; ${[...databases].toSorted().join(", ")}.`;
  });
}

async function readRecord(): Promise<Recorded[]> {
  return JSON.parse(await readFile(path, "utf8")) as Recorded[];
}

/** What makes two findings answers to one question. */
function nameOf({ what, kind, ofBare }: Finding): string {
  return JSON.stringify([what, kind, ofBare === true]);
}
