/**
 * Webhooks beside BullMQ, in turns: how fast a backlog to one webhook and to eight is drained, and how soon after its commit an event is
 * posted. Arguments: the database of crm (sqlite, postgres), the rounds, and the thousands of deliveries of a backlog. `PEERS` names the folder in which
 * BullMQ is installed (README.md).
 */
import { fill } from "../filled.ts";
import { openGround } from "../ground.ts";
import { argumentsOf } from "./arguments.ts";
import { drain, latencies, startReceiver } from "./arrivals.ts";
import { openBullMq } from "./bullmq.ts";
import { openCrmWebhooks } from "./crm-webhooks.ts";
import { startRedis } from "./redis.ts";
import { openTable, takeTurns } from "./side-by-side.ts";

const { folder, kind, crm, rounds, more } = argumentsOf("webhooks.ts [sqlite|postgres] [ROUNDS] [THOUSANDS]");
const peer = "BullMQ";
const deliveries = 1000 * Number(more ?? 10);
/** Of one request that adds to the backlog. */
const bulk = 125;
const backlogs = { "one webhook": 1, "8 webhooks": 8 };

const table = openTable([crm, peer], (row) => (row.startsWith("deliveries") ? "rate" : "time"));
const note = (backlog: string, product: string, { rate, time }: { rate: number; time: number }): void => {
  table.note(`deliveries a second, ${backlog}`, product, rate);
  table.note(`processor time of one, its database included, µs, ${backlog}`, product, time);
};

let serial = 0;
const next = (): number => ++serial;
const contactOf = (n: number) => ({
  first_name: "Grace",
  last_name: `N${n}`,
  email: `grace.${n}@example.com`,
  phone: `+1212${2_000_000 + n}`,
  company: "x".repeat(250),
  city: "New York",
  source: "website",
});
const contacts = (count: number) => Array.from({ length: count }, () => contactOf(next()));

const ground = await openGround(kind);
try {
  using receiver = await startReceiver(/"last_name":"N(\d+)"/);
  await using redis = await startRedis();
  await using bull = openBullMq(folder, redis, receiver);
  const filled = await fill(ground, "webhooks", { contacts: 2000, locations: 1 });

  /** A contact as the events of crm show it, so that BullMQ posts as many bytes. */
  let shown: object;
  {
    await using service = await openCrmWebhooks(ground, filled, receiver, { worker: false });
    shown = await service.create(contactOf(next()));
    const drainCrm =
      ([backlog, hooks]: readonly [string, number]) =>
      async (isWarmUp: boolean): Promise<void> => {
        await service.register(hooks);
        for (let left = deliveries / hooks; left > 0; left -= bulk)
          await service.createAll(contacts(Math.min(bulk, left)));
        const drained = await drain(receiver, deliveries, service.startWorker);
        await service.removeAll();
        if (!isWarmUp) note(backlog, crm, drained);
      };
    const drainPeer = async (isWarmUp: boolean): Promise<void> => {
      for (let left = deliveries; left > 0; left -= bulk)
        await bull.addAll(contacts(Math.min(bulk, left)).map((contact) => ({ ...shown, ...contact })));
      const drained = await drain(receiver, deliveries, bull.startWorker);
      if (!isWarmUp) for (const backlog of Object.keys(backlogs)) note(backlog, peer, drained);
    };
    const [one, eight] = Object.entries(backlogs).map(drainCrm);
    await takeTurns(rounds, [one!, drainPeer, eight!]);
  }
  {
    await using started = new AsyncDisposableStack();
    const service = started.use(await openCrmWebhooks(ground, filled, receiver, { worker: true }));
    started.use(await bull.startWorker());
    await service.register(1);
    const send = {
      [crm]: (n: number) => service.create(contactOf(n)),
      [peer]: (n: number) => bull.add({ ...shown, ...contactOf(n) }),
    };
    const turns = Object.entries(send).map(([product, sendOne]) => async (isWarmUp: boolean): Promise<void> => {
      const measured = await latencies(receiver, next, sendOne);
      if (isWarmUp) return;
      for (const [from, { p50, p99 }] of Object.entries(measured)) {
        table.note(`${from} to first POST, p50, ms`, product, p50);
        table.note(`${from} to first POST, p99, ms`, product, p99);
      }
    });
    await takeTurns(rounds, turns);
  }
  table.print();
} finally {
  await ground.close();
}
