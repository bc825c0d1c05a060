/** The turns of a sender: what is due is claimed while results are still being recorded, and a result outlives a record that failed. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { createAdaptiveConcurrency } from "../../src/queues/adaptive-concurrency.ts";
import { createSender } from "../../src/queues/sender.ts";
import type { Sending } from "../../src/queues/sender.ts";
import { inSlice } from "../../src/kit/waiting/time-slice.ts";
import { createWorker } from "../../src/worker.ts";

interface Item {
  readonly id: number;
}

/** Items from this id on belong to another holder, and do not pass the queue. */
const firstOfAnother = 1000;

/** What a turn waits for before it claims, and the load of the database. */
interface Surroundings {
  readonly claim?: () => Promise<void>;
  readonly database?: Sending<number, Item, Item>["database"];
}

/** A queue in memory of one holder; `record` is called with the ids whose results a turn records, `send` with each that is sent. */
function openQueue(
  record: (ids: readonly number[]) => Promise<void>,
  send = async (_item: Item): Promise<void> => {},
  { claim = async () => {}, database = createDatabase() }: Surroundings = {},
) {
  let due: Item[] = [];
  let nextDue: Date | null = null;
  const log: string[] = [];
  const recorded: number[] = [];
  let looks = 0;
  const sender = createSender<number, Item, Item>({
    name: "send items",
    wokenBy: [],
    clock: systemClock,
    allowances: createAdaptiveConcurrency({ mostAtOnce: 1024, mostOfOne: 16 }),
    counts: { succeeded: 0, failed: 0, released: 0 },
    database,
    async findDue(now, full) {
      looks += 1;
      return due.length > 0 && !full.includes(1) && (nextDue === null || nextDue <= now) ? [1] : [];
    },
    findNextDue: async () => (due.length > 0 ? (nextDue ?? new Date()) : null),
    standingOf: (holder) => ({ holder, isFailing: false }),
    async settleAndClaim({ ended, shares }) {
      const ids = ended.map(({ id }) => id);
      if (ids.length > 0) await record(ids);
      if (shares.length > 0) await claim();
      recorded.push(...ids);
      const taken = due.splice(0, shares[0]?.take ?? 0);
      for (const { id } of taken) log.push(`sent ${id}`);
      return taken;
    },
    holderOf: ({ id }) => (id < firstOfAnother ? 1 : 2),
    async send(item) {
      await send(item);
      return item;
    },
    hasSucceeded: () => true,
  });
  return {
    log,
    recorded,
    duty: sender.duty,
    flying: sender.flying,
    looks: () => looks,
    keepRoom: (take: number, holders = [1]) =>
      sender.keepRoom(holders.map((due) => ({ due, take }))).length === holders.length,
    start: (...ids: number[]) => sender.start(ids.map((id) => ({ id }))),
    add(id: number) {
      due = [...due, { id }];
      sender.duty.wake!();
    },
    addLater(id: number, milliseconds: number) {
      nextDue = new Date(Date.now() + milliseconds);
      due = [...due, { id }];
      sender.duty.wake!();
    },
  };
}

/** A database whose changes begin to wait for it when `shedLoad` is called. */
const createDatabase = () => ({
  isInProcess: false,
  load: { waits: 0, waitedMilliseconds: 0, transactions: 0, transactionMilliseconds: 0 },
});

/** Sixteen may be in flight to the holder; load is shed from now on, and fewer may start. */
async function shedLoad(queue: ReturnType<typeof openQueue>, database: ReturnType<typeof createDatabase>) {
  for (let id = 1; id <= 4; id++) {
    queue.start(id);
    await until(() => queue.recorded.includes(id));
  }
  for (let change = 0; change < 10_000; change++) queue.duty.changed!();
  database.load = { waits: 1, waitedMilliseconds: 1000, transactions: 1, transactionMilliseconds: 1 };
  await sleep(110);
  // Of a hundred holders.
  expect(
    queue.keepRoom(
      1,
      Array.from({ length: 100 }, (_, place) => 100 + place),
    ),
  ).toBe(false);
}

/** A worker that does nothing else, and the errors that it reported. */
function openWorker({ duty }: ReturnType<typeof openQueue>) {
  const reported: unknown[] = [];
  const worker = createWorker({
    loadDuties: async () => [duty],
    clock: systemClock,
    // In no minute that a test sees.
    scan: "0 0 1 1 *",
    watch: async () => async () => {},
    report: (error) => reported.push(error),
  });
  return { worker, reported };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(1);
}

test("what becomes due is sent while the result of another is being recorded", async () => {
  const recording = Promise.withResolvers<void>();
  const queue = openQueue(async ([id]) => {
    if (id !== 1) return;
    queue.log.push("recording 1");
    await recording.promise;
    queue.log.push("recorded 1");
  });
  queue.add(1);
  const running = queue.duty.run(new AbortController().signal);
  await until(() => queue.log.includes("recording 1"));
  queue.add(2);
  await until(() => queue.log.includes("sent 2"));
  expect(queue.flying()).toContain(1);
  recording.resolve();
  expect(await running).toBe("worked");
  expect(queue.log).toEqual(["sent 1", "recording 1", "sent 2", "recorded 1"]);
  expect(queue.recorded.toSorted()).toEqual([1, 2]);
  expect(queue.flying()).toEqual([]);
});

test("an item that is due and claimed again before its record has resolved stays in flight", async () => {
  const recording = Promise.withResolvers<void>();
  const sending = Promise.withResolvers<void>();
  let sends = 0;
  const queue = openQueue(
    async () => {
      if (sends === 1) await recording.promise;
    },
    async () => {
      sends += 1;
      if (sends === 2) await sending.promise;
    },
  );
  queue.add(1);
  const running = queue.duty.run(new AbortController().signal);
  await until(() => sends === 1);
  await sleep(5);
  // The commit has made it due, and its confirmation is on the way.
  queue.add(1);
  await until(() => sends === 2);
  recording.resolve();
  await sleep(5);
  expect(queue.flying()).toEqual([1]);
  sending.resolve();
  expect(await running).toBe("worked");
  expect([queue.recorded, queue.flying()]).toEqual([[1, 1], []]);
});

test("a record that fails ends the run with its error, and the next run records the result", async () => {
  let failures = 1;
  const queue = openQueue(async () => {
    if (failures-- > 0) throw new Error("the disk is full");
  });
  queue.add(1);
  await expect(queue.duty.run(new AbortController().signal)).rejects.toThrow("the disk is full");
  expect([queue.recorded, queue.flying()]).toEqual([[], [1]]);
  expect(await queue.duty.run(new AbortController().signal)).toBe("worked");
  expect([queue.recorded, queue.flying()]).toEqual([[1], []]);
});

test("a stop waits for the record that is under way, and repeats one that failed", async () => {
  const recording = Promise.withResolvers<void>();
  let attempts = 0;
  const queue = openQueue(async () => {
    if (++attempts === 1) await recording.promise;
  });
  queue.add(1);
  const stop = new AbortController();
  const running = queue.duty.run(stop.signal);
  await until(() => attempts === 1);
  stop.abort();
  recording.reject(new Error("the connection was lost"));
  expect(await running).toBe("done");
  await queue.duty.land();
  expect([attempts, queue.recorded, queue.flying()]).toEqual([2, [1], []]);
});

test.each(["start", "runOnce"] as const)(
  "after a record that failed, a stop after %s records that result and the one of a send in flight",
  async (way) => {
    const sending = Promise.withResolvers<void>();
    let failures = 1;
    const queue = openQueue(
      async (ids) => {
        if (ids.includes(2) && failures-- > 0) throw new Error("the database is locked");
      },
      async ({ id }) => (id === 3 ? sending.promise : undefined),
    );
    for (const id of [1, 2, 3]) queue.add(id);
    const { worker, reported } = openWorker(queue);
    const running = worker[way]().then(
      () => undefined,
      (error: unknown) => error,
    );
    await until(() => reported.length === 1);
    // In the backoff of the failed duty.
    const stopped = worker.stop();
    sending.resolve();
    await stopped;
    expect(queue.recorded.toSorted()).toEqual([1, 2, 3]);
    expect(queue.flying()).toEqual([]);
    expect(await running).toEqual(way === "start" ? undefined : new Error("the database is locked"));
  },
);

test("a stop records the result that arrives at the very moment at which another is recorded", async () => {
  const recording = Promise.withResolvers<void>();
  const sending = Promise.withResolvers<void>();
  const queue = openQueue(
    async ([id]) => (id === 1 ? recording.promise : undefined),
    async ({ id }) => (id === 2 ? sending.promise : undefined),
  );
  queue.add(1);
  const stop = new AbortController();
  const running = queue.duty.run(stop.signal);
  await until(() => queue.log.includes("sent 1"));
  queue.add(2);
  await until(() => queue.log.includes("sent 2"));
  stop.abort();
  await running;
  const landing = queue.duty.land();
  sending.resolve();
  recording.resolve();
  await landing;
  expect([queue.recorded.toSorted(), queue.flying()]).toEqual([[1, 2], []]);
});

test("what was claimed without a turn is sent and recorded between two runs, what ends meanwhile together", async () => {
  const recording = Promise.withResolvers<void>();
  const records: (readonly number[])[] = [];
  const queue = openQueue(async (ids) => {
    records.push(ids);
    if (records.length === 1) await recording.promise;
  });
  for (const id of [1, 2, 3]) queue.start(id);
  await until(() => records.length === 1);
  await sleep(5);
  recording.resolve();
  await until(() => queue.flying().length === 0);
  expect(records).toEqual([[1], [2, 3]]);
});

test("a record between two runs that fails is repeated by the next result, and told by the next run", async () => {
  let failures = 1;
  const queue = openQueue(async () => {
    if (failures-- > 0) throw new Error("the disk is full");
  });
  queue.start(1);
  await sleep(5);
  expect([queue.recorded, queue.flying()]).toEqual([[], [1]]);
  queue.start(2);
  await until(() => queue.recorded.length === 2);
  await expect(queue.duty.run(new AbortController().signal)).rejects.toThrow("the disk is full");
  expect(await queue.duty.run(new AbortController().signal)).toBe("done");
});

test("a record between two runs that fails is repeated, though nothing else ends or wakes the duty", async () => {
  let failures = 1;
  const queue = openQueue(async () => {
    if (failures-- > 0) throw new Error("the database is locked");
  });
  const { worker } = openWorker(queue);
  await worker.start();
  // The loop sleeps.
  await sleep(100);
  queue.start(1);
  await until(() => queue.recorded.length === 1);
  expect(queue.flying()).toEqual([]);
  await worker.stop();
});

test("beside all the room that can be kept at a time, a turn claims what is due", async () => {
  const queue = openQueue(async () => {});
  const others = Array.from({ length: 256 }, (_item, place) => 2 + place);
  expect([queue.keepRoom(1, [...others, 258]), queue.keepRoom(1, others)]).toEqual([false, true]);
  queue.add(1);
  expect(await queue.duty.run(new AbortController().signal)).toBe("worked");
  expect(queue.recorded).toEqual([1]);
});

test("an item that is due later is sent, however many are sent without a turn meanwhile", async () => {
  const sending = Promise.withResolvers<void>();
  const queue = openQueue(
    async () => {},
    async ({ id }) => (id === 2 ? sending.promise : undefined),
  );
  queue.start(1);
  await until(() => queue.recorded.length === 1);
  queue.add(2);
  const stop = new AbortController();
  const running = queue.duty.run(stop.signal);
  await until(() => queue.log.includes("sent 2"));
  let id = 10;
  const starting = setInterval(() => queue.start(id++), 5);
  queue.addLater(3, 100);
  await until(() => queue.log.includes("sent 3"));
  clearInterval(starting);
  stop.abort();
  sending.resolve();
  await running;
  await queue.duty.land();
});

test("under load shedding, what passes the queue and what is queued leave each other their shares", async () => {
  const queue = openQueue(async () => {});
  for (let id = 1; id <= 1000; id++) queue.add(id);
  const stop = new AbortController();
  const begun = performance.now();
  let running: Promise<unknown> | undefined;
  let past = 0;
  for (let passed = 0; passed < 1000; passed = performance.now() - begun) {
    const until = performance.now() + 1;
    while (performance.now() < until) queue.duty.changed!();
    const hasRoom = queue.keepRoom(1);
    // The load is measured ten times a second, and sheds from the second time on.
    if (passed > 400) {
      running ??= queue.duty.run(stop.signal);
      if (hasRoom) queue.start(10_000 + past++);
    }
    await setImmediate();
  }
  const queued = queue.log.length;
  stop.abort();
  await running;
  await queue.duty.land();
  // Three hundred a second each, and those of one measurement, or of three.
  expect(past).toBeGreaterThan(20);
  expect(past).toBeLessThan(300);
  expect(queued).toBeGreaterThan(past / 2);
  expect(queued).toBeLessThan(240);
});

test("under load shedding, what passes the queue has its share while as much is being claimed", async () => {
  const database = createDatabase();
  const claiming = Promise.withResolvers<void>();
  const queue = openQueue(async () => {}, undefined, {
    database,
    async claim() {
      queue.log.push("claiming");
      await claiming.promise;
    },
  });
  await shedLoad(queue, database);
  for (let id = 11; id <= 30; id++) queue.add(id);
  // Thirty of the queue may start then, and ninety others.
  await sleep(110);
  const running = queue.duty.run(new AbortController().signal);
  await until(() => queue.log.includes("claiming"));
  expect(queue.keepRoom(1, [2])).toBe(true);
  queue.start(firstOfAnother);
  claiming.resolve();
  expect(await running).toBe("worked");
});

test("under load shedding, what is queued goes on with the time, though none of those in flight answers", async () => {
  const database = createDatabase();
  const answers = Promise.withResolvers<void>();
  const queue = openQueue(
    async () => {},
    async ({ id }) => (id > 10 ? answers.promise : undefined),
    { database },
  );
  await shedLoad(queue, database);
  queue.start(firstOfAnother);
  for (let id = 11; id <= 30; id++) queue.add(id);
  const running = queue.duty.run(new AbortController().signal);
  const begun = performance.now();
  await until(() => queue.flying().length === 17);
  // Three hundred a second.
  expect(performance.now() - begun).toBeLessThan(1000);
  answers.resolve();
  expect(await running).toBe("worked");
});

test("what was claimed begins within a quarter of a second, however many holders read meanwhile", async () => {
  const done: string[] = [];
  const queue = openQueue(
    async () => {},
    async () => void done.push("sent"),
  );
  const read = async (): Promise<void> => {
    for (const until = performance.now() + 2; performance.now() < until;);
    done.push("read");
  };
  const reads = Array.from({ length: 600 }, (_, place) => inSlice(`reader ${place % 60}`, read));
  queue.start(...Array.from({ length: 60 }, (_, id) => id));
  await Promise.all(reads);
  await until(() => queue.recorded.length === 60);
  // Four at a time, after each sixty reads, they would end behind all.
  expect(done.lastIndexOf("sent")).toBeLessThan(400);
});

test("room is kept for as many as a holder may have in flight, whoever claims the rest", async () => {
  const sending = Promise.withResolvers<void>();
  const queue = openQueue(
    async () => {},
    async ({ id }) => (id > 10 ? sending.promise : undefined),
  );
  // One at first, and twice as many after each that succeeds.
  expect([queue.keepRoom(2), queue.keepRoom(1)]).toEqual([false, true]);
  for (let id = 1; id <= 4; id++) {
    queue.start(id);
    await until(() => queue.recorded.includes(id));
  }
  expect([queue.keepRoom(17), queue.keepRoom(16), queue.keepRoom(12)]).toEqual([false, true, true]);
  for (let id = 11; id <= 30; id++) queue.add(id);
  const stop = new AbortController();
  const running = queue.duty.run(stop.signal);
  await until(() => queue.flying().length === 4);
  queue.start(101, 102);
  await until(() => queue.flying().length === 16);
  expect(queue.keepRoom(1)).toBe(false);
  stop.abort();
  sending.resolve();
  await running;
  await queue.duty.land();
  expect([queue.recorded.length, queue.flying()]).toEqual([20, []]);
});

test("a stop waits for what is being claimed without a turn, and keeps no room any more", async () => {
  const queue = openQueue(async () => {});
  expect(queue.keepRoom(1)).toBe(true);
  const landing = queue.duty.land();
  await sleep(5);
  queue.start(1);
  await landing;
  expect([queue.recorded, queue.flying(), queue.keepRoom(1)]).toEqual([[1], [], false]);
});

test("while all that is due is of a receiver without a free slot, the queue is read again when it answers, not with each result of others", async () => {
  const answer = Promise.withResolvers<void>();
  const queue = openQueue(
    async () => {},
    async ({ id }) => (id === 1 ? answer.promise : undefined),
  );
  queue.add(1);
  const running = queue.duty.run(new AbortController().signal);
  await until(() => queue.flying().includes(1));
  queue.add(2);
  const begun = performance.now();
  const before = queue.looks();
  for (let id = firstOfAnother; id < firstOfAnother + 50; id++) {
    queue.start(id);
    await until(() => queue.recorded.includes(id));
  }
  // One for what was added, and one for each quarter of a second.
  expect(queue.looks() - before).toBeLessThanOrEqual(2 + (performance.now() - begun) / 250);
  expect(queue.log).toEqual(["sent 1"]);
  const answered = performance.now();
  answer.resolve();
  await until(() => queue.log.includes("sent 2"));
  expect(performance.now() - answered).toBeLessThan(200);
  expect(await running).toBe("worked");
});
