/** How fast webhooks are delivered: beside a client that only signs and posts, after a commit, and past receivers that are slow. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { z } from "zod";
import { defineEvent } from "../../src/events/define-event.ts";
import { sign, toSigningKey } from "../../src/webhooks/signature.ts";
import type { Setting } from "./against-raw.ts";
import { openField, queue, register, text, told } from "./delivery-field.ts";
import type { Field } from "./delivery-field.ts";
import type { Kind } from "./ground.ts";
import { interleave } from "./interleave.ts";
import type { Ratio } from "./interleave.ts";

/** An event without listeners. */
const unwanted = defineEvent("contact.updated", z.object({ n: z.int() }), { n: 0 }, "nothing");

const inFlight = 64;
const writers = 32;
const hooks = 8;
/** Events a second, and for how long. */
const pace = 100;
const paceSeconds = 8;
/** How long events come before they are measured: the start of the worker is not. */
const leadSeconds = 1;
/** Long enough for load shedding, which reacts after a tenth of a second. */
const besideSeconds = 2;

export async function measureDeliveries(setting: Setting): Promise<void> {
  const { plan, tell } = setting;
  const { kind } = setting.ground;
  const big = plan.growth[1];
  const field = await openField(setting.ground);
  try {
    const fast = await register(field, hooks, "/ok", null);
    const batch = plan.contacts / 10;
    const ours = (): Promise<number> => deliverAll(field, fast, batch);
    const bare = (): Promise<number> => postBare(field.port, batch);
    await ours();
    await bare();
    tell({
      what: `deliveries a second, 1 KB, ${inFlight} in flight, beside a client that only signs and posts`,
      target: { least: 0.6 },
      kind,
      value: await interleave(plan.rounds, ours, bare),
    });

    tell({
      what: "changes a second, 32 writers, while deliveries run at full speed, of those without",
      target: { least: 0.7 },
      kind,
      value: await interleave(
        plan.rounds,
        () => changesBeside(field, fast, 20_000),
        () => changesBeside(field, fast, 0),
      ),
    });

    const before = await medianOf(3, ours);
    await pileUp(field, fast[0]!, big);
    tell({
      what: `deliveries a second with ${big.toLocaleString("en")} delivered, how many times slower`,
      target: { most: 1.3 },
      kind,
      value: measuredOnce(before / (await medianOf(3, ours))),
    });

    await settleServer(field, kind);
    await register(field, 1, "/ok", ["contact.created"]);
    await latencies(field, 1);
    const clean = await latencies(field, paceSeconds);
    tell({
      what: `commit to first POST at ${pace} events a second, p50`,
      target: { most: 3, unit: " ms" },
      kind,
      value: clean.p50,
    });
    tell({
      what: `commit to first POST at ${pace} events a second, p99`,
      target: { most: 15, unit: " ms" },
      kind,
      value: clean.p99,
    });

    await queue(field, [fast[1]!], big);
    await settleServer(field, kind);
    const beside = await latencies(field, paceSeconds);
    tell({
      what: `the same p99 beside a webhook with ${big.toLocaleString("en")} waiting, times as long`,
      target: { most: 1.5 },
      kind,
      value: measuredOnce(beside.p99 / clean.p99),
    });
    await cancelAll(field);
    await settleServer(field, kind);

    await queue(field, await register(field, 500, "/tarpit", null), 5000);
    const stuck = await latencies(field, paceSeconds);
    tell({
      what: "the same p99 beside five hundred receivers that never answer, times as long",
      target: { most: 1.5 },
      kind,
      value: measuredOnce(stuck.p99 / clean.p99),
    });
  } finally {
    field.receiver.kill();
    await field.service.close();
  }
}

async function pileUp(field: Field, hookId: number, count: number): Promise<void> {
  await queue(field, [hookId], count, "delivered");
}

/** Deliveries a second, claims and attempt rows included. */
async function deliverAll(field: Field, hookIds: readonly number[], count: number): Promise<number> {
  await queue(field, hookIds, count);
  const begun = performance.now();
  await field.service.worker.runOnce();
  return (count / (performance.now() - begun)) * 1000;
}

/** Changes a second, each with an event that no webhook wants, of writers in the process of a worker that has so many deliveries to make. */
async function changesBeside(field: Field, hookIds: readonly number[], count: number): Promise<number> {
  if (count > 0) await queue(field, hookIds, count);
  const { caller, service } = field;
  await service.worker.start();
  // The worker is at full speed, or has nothing to do.
  await sleep(200);
  const begun = performance.now();
  const ends = begun + besideSeconds * 1000;
  let made = 0;
  const write = async (): Promise<void> => {
    while (performance.now() < ends) {
      await caller.change((change) => change.record(unwanted.of({ n: made })));
      made += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const rate = (made / (performance.now() - begun)) * 1000;
  await cancelAll(field);
  await service.worker.stop();
  return rate;
}

async function cancelAll({ service }: Field): Promise<void> {
  await service.database.transaction(({ rows }) =>
    rows("update deliveries set state = 'canceled', due_at = null where due_at is not null"),
  );
}

/** What a server does by itself within minutes after a million rows were written: until then each look passes dead ones, and a checkpoint holds up commits. */
async function settleServer({ service }: Field, kind: Kind): Promise<void> {
  if (kind !== "postgres") return;
  for (const text of ["vacuum analyze", "checkpoint"]) await service.database.rowsOnce(text);
}

/** Posts a second of a client that only signs and posts. */
async function postBare(port: number, count: number): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`);
  const key = toSigningKey("whsec_bench");
  const body = JSON.stringify({
    id: 1,
    event: "contact.created",
    created_at: "2026-03-01T12:00:00.000Z",
    data: { n: 0, text },
  });
  let left = count;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) {
        const at = Math.floor(performance.timeOrigin + performance.now());
        const headers = {
          "content-type": "application/json",
          "x-service-event": "contact.created",
          "x-service-delivery": "1",
          "x-service-signature": sign(body, [key], at),
        };
        const answer = await pool.request({ method: "POST", path: "/ok", headers, body });
        await answer.body.dump();
      }
    }),
  );
  const rate = (count / (performance.now() - begun)) * 1000;
  await pool.close();
  return rate;
}

/** Milliseconds from the end of a commit to the arrival at a receiver, while the worker runs, from its second second on. */
async function latencies({ service, caller, receiver }: Field, seconds: number): Promise<{ p50: number; p99: number }> {
  const committed = new Map<number, number>();
  await ask(receiver);
  await service.worker.start();
  const begun = performance.now();
  const changes: Promise<unknown>[] = [];
  for (let n = 1; n <= (leadSeconds + seconds) * pace; n++) {
    await sleep(Math.max(0, begun + (n * 1000) / pace - performance.now()));
    changes.push(
      caller
        .change((change) => change.record(told.of({ n, text })))
        .then(() => committed.set(n, performance.timeOrigin + performance.now())),
    );
  }
  await Promise.all(changes);
  await sleep(1000);
  const arrived = new Map((await ask(receiver)).toReversed());
  await service.worker.stop();
  const taken = [...committed]
    .filter(([n]) => n > leadSeconds * pace)
    .map(([n, at]) => (arrived.get(n) ?? Number.POSITIVE_INFINITY) - at)
    .toSorted((a, b) => a - b);
  const at = (share: number): number => Math.max(0.1, taken[Math.ceil(taken.length * share) - 1]!);
  return { p50: at(0.5), p99: at(0.99) };
}

async function ask(receiver: ChildProcess): Promise<[n: number, at: number][]> {
  receiver.send("arrivals");
  const [{ arrivals }] = (await once(receiver, "message")) as [{ arrivals: [number, number][] }];
  return arrivals;
}

/** A ratio without a range. */
function measuredOnce(median: number): Ratio {
  return { median, low: median, high: median };
}

async function medianOf(times: number, measure: () => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let time = 0; time < times; time++) found.push(await measure());
  return found.toSorted((a, b) => a - b)[Math.floor(times / 2)]!;
}
