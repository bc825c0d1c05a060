/** The turns of a sender: what is due is claimed while results are still being recorded, and a result outlives a record that failed. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { createAdaptiveConcurrency } from "../../src/queues/adaptive-concurrency.ts";
import { createSender } from "../../src/queues/sender.ts";

interface Item {
  readonly id: number;
}

/** A queue in memory of one holder; `record` is called with the ids whose results a turn records. */
function openQueue(record: (ids: readonly number[]) => Promise<void>) {
  let due: Item[] = [];
  const log: string[] = [];
  const recorded: number[] = [];
  const sender = createSender<"holder", Item, Item>({
    name: "send items",
    wokenBy: [],
    clock: systemClock,
    allowances: createAdaptiveConcurrency({ mostAtOnce: 1024, mostOfOne: 16 }),
    counts: { succeeded: 0, failed: 0, released: 0 },
    findDue: async () => (due.length > 0 ? ["holder"] : []),
    findNextDue: async () => null,
    standingOf: () => ({ holder: 1, isFailing: false }),
    async settleAndClaim({ ended, shares }) {
      const ids = ended.map(({ id }) => id);
      if (ids.length > 0) await record(ids);
      recorded.push(...ids);
      const taken = due.splice(0, shares[0]?.take ?? 0);
      for (const { id } of taken) log.push(`sent ${id}`);
      return taken;
    },
    holderOf: () => 1,
    send: async (item) => item,
    hasSucceeded: () => true,
  });
  return {
    log,
    recorded,
    duty: sender.duty,
    flying: sender.flying,
    add(id: number) {
      due = [...due, { id }];
      sender.duty.wake!();
    },
  };
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
  expect([attempts, queue.recorded, queue.flying()]).toEqual([2, [1], []]);
});
