/** Processor time of a list, a get, a create, a delivery and a node of a workflow. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Setting } from "./against-raw.ts";
import { cases } from "./cases.ts";
import { openField as openDeliveries, queue, register } from "./delivery-field.ts";
import { fill } from "./filled.ts";
import { metersOf, ownTime, tellProcessor, timeOf } from "./processor.ts";
import { startService } from "./servers.ts";
import { enroll, moveAll, nodes, openField as openWorkflows } from "./workflow-field.ts";

const requests = { "first-page": "list 200 contacts", get: "get one full contact", create: "create a contact" };
const hooks = 8;

/** Warmed as long as it is measured: V8 compiles on the same processors. */
export async function measureProcessorTimes(setting: Setting): Promise<void> {
  await measureRequests(setting);
  await measureDelivery(setting);
  await measureNode(setting);
}

/** The service has its worker inside: a create includes its position in the event log, and its part of the text index. */
async function measureRequests({ ground, load, plan, tell }: Setting): Promise<void> {
  const filled = await fill(ground, "processor", { contacts: plan.growth[0], locations: plan.locations });
  await using service = await startService(filled.url, { directory: ground.folder, worker: true });
  const time = (): Promise<number> => timeOf(service.running.pid);
  const meters = await metersOf(ground, filled.url, time);
  const seconds = (plan.rounds * plan.seconds) / 2;
  for (const [name, title] of Object.entries(requests)) {
    const { requests: make, status } = cases.find((known) => known.name === name)!;
    const slice = {
      port: service.port,
      connections: plan.connections,
      status,
      requests: await make(filled, service.port),
    };
    const run = async (): Promise<number> => {
      const begun = performance.now();
      const rate = await load.measure({ ...slice, seconds });
      const count = (rate * (performance.now() - begun)) / 1000;
      await untilIdle(time);
      return count;
    };
    await run();
    await tellProcessor({ ground, tell }, title, meters, run);
  }
}

/** Resolves when the process uses less than a tenth of a core, or after half a minute. */
async function untilIdle(time: () => Promise<number>): Promise<void> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline;) {
    const before = await time();
    await sleep(500);
    if ((await time()) - before < 50_000) return;
  }
}

async function measureDelivery({ ground, plan, tell }: Setting): Promise<void> {
  const field = await openDeliveries(ground);
  const { service, receiver } = field;
  try {
    const ids = await register(field, hooks, "/ok", null);
    const count = plan.contacts / 10;
    const meters = await metersOf(ground, service.settings.databaseUrl, ownTime);
    const deliver = async (): Promise<number> => {
      await service.worker.runOnce();
      return count;
    };
    await queue(field, ids, count);
    await deliver();
    await queue(field, ids, count);
    await tellProcessor({ ground, tell }, "deliver an event of 1 KB", meters, deliver);
  } finally {
    receiver.kill();
    await service.close();
  }
}

async function measureNode({ ground, plan, tell }: Setting): Promise<void> {
  const field = await openWorkflows(ground, "nodes", plan.growth[0]);
  const { service, filled, workflows } = field;
  try {
    const count = plan.contacts / 100;
    const meters = await metersOf(ground, filled.url, ownTime);
    await moveAll(field, count);
    await enroll(field, workflows.ten, { count, status: "active", dueAt: () => Date.now() });
    await tellProcessor({ ground, tell }, "execute a node of a workflow", meters, async () => {
      await service.worker.runOnce();
      return count * nodes;
    });
  } finally {
    await service.close();
  }
}
