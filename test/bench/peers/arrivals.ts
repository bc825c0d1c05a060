/** What arrives at the receiver: how fast a backlog is drained, and how soon after its commit an event is posted. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The number of an event, and when it arrived in milliseconds since 1970. */
type Arrival = readonly [n: number, at: number];

export interface Receiver extends Disposable {
  readonly url: string;
  /** Those since the last call. */
  arrivals(): Promise<Arrival[]>;
}

/** `pattern` finds the number of an event in its delivery. */
export async function startReceiver(pattern: RegExp): Promise<Receiver> {
  const receiver = fork(join(import.meta.dirname, "../delivery-receiver.ts"), [pattern.source]);
  const [{ port }] = (await once(receiver, "message")) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    async arrivals() {
      receiver.send("arrivals");
      const [message] = (await once(receiver, "message")) as [{ arrivals: Arrival[] }];
      return message.arrivals;
    },
    [Symbol.dispose]: () => void receiver.kill(),
  };
}

export interface DrainingWorker extends AsyncDisposable {
  /** Processor time so far, in microseconds, its database included. */
  time(): Promise<number>;
}

/** A drain that takes longer has failed, in milliseconds. */
const patience = 120_000;

/** Deliveries a second between the first arrival and the last of `count`, and the processor time of one in microseconds. */
export async function drain(receiver: Receiver, count: number, start: () => Promise<DrainingWorker>) {
  await receiver.arrivals();
  await using worker = await start();
  const times: number[] = [];
  let begun: { readonly count: number; readonly time: number } | undefined;
  for (const deadline = performance.now() + patience; times.length < count; await sleep(20)) {
    if (performance.now() > deadline) throw new Error(`${times.length} of ${count} deliveries arrived`);
    times.push(...(await receiver.arrivals()).map(([, at]) => at));
    if (times.length > 0) begun ??= { count: times.length, time: await worker.time() };
  }
  // The last outcomes are being written down.
  await sleep(300);
  const took = Math.max(...times) - Math.min(...times);
  const left = count - begun!.count;
  return {
    rate: ((count - 1) / took) * 1000,
    time: left > 0 ? ((await worker.time()) - begun!.time) / left : Number.NaN,
  };
}

/** Events a second, and for how long. */
const pace = 100;
const paceSeconds = 6;

/** Milliseconds to the first POST from the call of `send`, and from its end, which is the commit. Each event has a number that no other has. */
export async function latencies(receiver: Receiver, next: () => number, send: (n: number) => Promise<unknown>) {
  await receiver.arrivals();
  const called = new Map<number, number>();
  const committed = new Map<number, number>();
  const now = (): number => performance.timeOrigin + performance.now();
  const begun = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let place = 0; place < pace * paceSeconds; place++) {
    await sleep(Math.max(0, begun + (place * 1000) / pace - performance.now()));
    const n = next();
    called.set(n, now());
    sent.push(send(n).then(() => committed.set(n, now())));
  }
  await Promise.all(sent);
  await sleep(1000);
  const arrived = new Map((await receiver.arrivals()).toReversed());
  const since = (from: ReadonlyMap<number, number>) =>
    quantilesOf([...from].map(([n, at]) => (arrived.get(n) ?? Number.POSITIVE_INFINITY) - at));
  return { request: since(called), commit: since(committed) };
}

function quantilesOf(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = times.toSorted((a, b) => a - b);
  // The answer to a request may be read later than its event is posted.
  const at = (share: number): number => Math.max(0.1, sorted[Math.ceil(sorted.length * share) - 1]!);
  return { p50: at(0.5), p99: at(0.99) };
}
