/**
 * `npm run soak [-- --minutes 10] [--on DATABASE] [--snapshots FOLDER]`: mixed and hostile requests as fast as they are answered, and
 * how the memory of `crm serve` goes meanwhile. Both databases for ten minutes or more are written into docs/performance.md.
 */
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { chanceOf } from "../support/chance.ts";
import { describeMachine, writeDocument } from "./document.ts";
import { fill } from "./filled.ts";
import { kinds, openGround } from "./ground.ts";
import type { Kind } from "./ground.ts";
import { collectMemory, probed, readMemory } from "./probed-memory.ts";
import type { Memory } from "./probed-memory.ts";
import { startOnce, startService } from "./servers.ts";
import { startClients } from "./soak-clients.ts";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    on: { type: "string", multiple: true },
    snapshots: { type: "string" },
  },
});
const minutes = Number(options.minutes);
if (!(minutes > 0)) throw new Error("--minutes takes a number above 0.");
const snapshots = options.snapshots === undefined ? undefined : resolve(options.snapshots);
if (snapshots !== undefined) await mkdir(snapshots, { recursive: true });

/** MiB in use after a collection may grow by so much, from the first tenth of the time to the end: caches still fill. */
const mostGrowth = 15;

interface Soaked {
  readonly kind: Kind;
  readonly answers: number;
  /** What is taken, ten times over the run. */
  readonly curve: readonly Memory[];
  /** What is in use after a collection, early and at the end. */
  readonly early: Memory;
  readonly late: Memory;
  readonly wrong: ReadonlyMap<string, number>;
}

const machine = describeMachine();
const begun = new Date();
const soaked: Soaked[] = [];
for (const kind of kinds) {
  if (options.on?.includes(kind) ?? true) soaked.push(await soak(kind));
}
const measured = `Measured on ${begun.toISOString().slice(0, 10)} for ${minutes} minutes on ${machine}\n\n${toTables(soaked)}`;
console.log(`\n${measured}`);
for (const { kind, wrong, early, late } of soaked) {
  const complaints = [...wrong].map(([told, count]) => `${count} × ${told}`);
  if (inUse(late) - inUse(early) > mostGrowth) complaints.push(`what is in use grew by more than ${mostGrowth} MiB`);
  for (const complaint of complaints) console.log(`${kind}: ${complaint}`);
  if (complaints.length > 0) process.exitCode = 1;
}
if (soaked.length === kinds.length && minutes >= 10) await writeDocument("soaked", measured);

async function soak(kind: Kind): Promise<Soaked> {
  const ground = await openGround(kind);
  try {
    await startOnce(await ground.create("empty"), ground.folder);
    const filled = await fill(ground, "soaked", { contacts: 20_000, locations: 4 });
    await using service = await startService(filled.url, {
      directory: ground.folder,
      worker: true,
      nodeOptions: probed,
      environment: snapshots === undefined ? {} : { SOAK_SNAPSHOTS: snapshots },
    });
    const setting = {
      key: filled.apiKey,
      locations: Array.from({ length: filled.locations }, (_, place) => filled.firstLocation + place),
      contacts: filled.contacts,
      chance: chanceOf(`soak on ${kind}`),
    };
    const clients = startClients(service.port, setting);
    const curve: Memory[] = [];
    let early: Memory | undefined;
    for (let tenth = 1; tenth <= 10; tenth++) {
      await sleep(minutes * 6000);
      curve.push(readMemory(service.running));
      console.log(`${kind} ${tenth * 10} %: ${clients.answered} answers, ${describe(curve.at(-1)!)}`);
      early ??= await collectMemory(service.running);
    }
    await clients.stop();
    return {
      kind,
      answers: clients.answered,
      curve,
      early: early!,
      late: await collectMemory(service.running),
      wrong: clients.wrong,
    };
  } finally {
    await ground.close();
  }
}

function inUse({ used, external }: Memory): number {
  return used + external;
}

function describe({ resident, heap, used, external }: Memory): string {
  return `resident ${resident} MiB, heap ${heap} (${used} filled), external ${external}`;
}

/** A row for every third tenth of the time, and one for what is in use after a collection. */
function toTables(runs: readonly Soaked[]): string {
  const titles = { sqlite: "SQLite", postgres: "PostgreSQL" };
  const round = (megabytes: number): string => megabytes.toFixed(0);
  const cells = ({ resident, heap, external }: Memory): string[] => [resident, heap, external].map(round);
  const rows = [
    ["minute", ...runs.flatMap(({ kind }) => [`${titles[kind]}: resident, MiB`, "heap", "external"])],
    ["---", ...runs.flatMap(() => ["---", "---", "---"])],
    ...[0, 3, 6, 9].map((tenth) => [
      String(((tenth + 1) * minutes) / 10),
      ...runs.flatMap(({ curve }) => cells(curve[tenth]!)),
    ]),
  ];
  const sentences = runs.map(
    ({ kind, answers, early, late }) =>
      `${titles[kind]}: ${answers} answers; in use after a collection ${round(inUse(early))} MiB after the first tenth and ${round(inUse(late))} at the end.`,
  );
  return [...rows.map((row) => `| ${row.join(" | ")} |`), "", ...sentences].join("\n");
}
