/** What a part of the service adds to a request: too little to show between two servers, so it is timed by itself and set against a whole request. */
import type { Setting } from "./against-raw.ts";
import type { Filled } from "./filled.ts";
import { toRatio } from "./interleave.ts";
import { readCpuTime } from "./platform-billing.ts";
import { costOf, metersOf, ownTime } from "./processor.ts";
import type { Server } from "./servers.ts";

export interface Sent {
  readonly to: Server;
  readonly filled: Filled;
  readonly requests: readonly string[];
  readonly status: number;
}

/** Measures processor time of one request, that of PostgreSQL included, in microseconds. */
export async function costsOf({ ground, load, plan }: Setting, { to, filled, requests, status }: Sent) {
  const { connections, seconds } = plan;
  const { service, database } = await metersOf(
    ground,
    filled.url,
    async () => (await readCpuTime(to.running.pid)) / 1000,
  );
  const spent = async () => (await service()) + ((await database?.()) ?? 0);
  return async () => {
    const measure = () => load.measure({ port: to.port, connections, seconds, requests, status });
    return (await costOf(spent, measure)).cost;
  };
}

/** Tells `whole` divided by what it would be without `work`, which is called for each of `on`. */
export async function tellShare<Item>(
  { plan, tell, ground }: Setting,
  what: string,
  whole: () => Promise<number>,
  { work, on }: { readonly work: (item: Item) => unknown; readonly on: readonly Item[] },
): Promise<void> {
  const ratios: number[] = [];
  timeOfEach(on, work);
  for (let round = 0; round < plan.rounds; round++) {
    const cost = await whole();
    ratios.push(cost / (cost - timeOfEach(on, work)));
  }
  tell({ what, target: { most: 1.02 }, kind: ground.kind, value: toRatio(ratios) });
}

/** Processor time of one call, in microseconds. */
function timeOfEach<Item>(items: readonly Item[], work: (item: Item) => unknown): number {
  const repeated = 20;
  const begun = ownTime();
  for (let time = 0; time < repeated; time++) for (const item of items) work(item);
  return (ownTime() - begun) / (repeated * items.length);
}
