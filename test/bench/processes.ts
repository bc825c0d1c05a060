/** What a second process on the same port brings, with the load in the same two cores. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Setting } from "./against-raw.ts";
import { cases } from "./cases.ts";
import { fill } from "./filled.ts";
import { compareRates } from "./interleave.ts";
import { startService } from "./servers.ts";

const least = { get: 1.4, create: 1 };

/** The first answers when it says where it listens; the other is there soon after. */
const untilBoth = 3000;

export async function measureProcesses({ ground, load, plan, tell }: Setting): Promise<void> {
  const filled = await fill(ground, "one_process", plan);
  const url = await ground.copy("one_process", "two_processes");
  const options = { directory: ground.folder, worker: true };
  await using one = await startService(filled.url, options);
  await using two = await startService(url, { ...options, environment: { CRM_PROCESSES: "2" } });
  await sleep(untilBoth);
  for (const [name, share] of Object.entries(least)) {
    const measured = cases.find((known) => known.name === name)!;
    const requests = await measured.requests(filled, one.port);
    const [first, second] = [two, one].map(({ port }) => ({ port, requests }));
    const value = await compareRates(load, plan, measured.status, first!, second!);
    const what = `${measured.title}: \`--processes 2\`, of one process`;
    tell({ what, target: ground.kind === "sqlite" ? { least: share } : null, kind: ground.kind, value });
  }
}
