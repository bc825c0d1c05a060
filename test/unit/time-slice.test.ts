/** Work that came together is spread over the turns of the event loop, in its order, and what comes in meanwhile has its turn between. */
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inSlice } from "../../src/kit/waiting/time-slice.ts";

/** Keeps the event loop busy, as a read of SQLite does. */
function compute(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}

test("twelve pieces of five milliseconds take four turns at least, and others go on in each", async () => {
  const done: number[] = [];
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns++) await turn();
  })();
  await Promise.all(
    Array.from({ length: 12 }, (_, place) =>
      inSlice("one", async () => {
        compute(5);
        done.push(place);
      }),
    ),
  );
  isDone = true;
  await others;
  expect(done).toEqual(done.toSorted((one, other) => one - other));
  expect(turns).toBeGreaterThanOrEqual(4);
});

test("what a piece does after its first steps counts, as the later statements of a read on SQLite", async () => {
  void inSlice("one", async () => compute(10));
  const perTurn = [0];
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; await turn()) perTurn.push(0);
  })();
  await Promise.all(
    Array.from({ length: 8 }, () =>
      inSlice("one", async () => {
        // Look-ups first.
        for (let step = 0; step < 6; step++) await undefined;
        compute(12);
        perTurn[perTurn.length - 1]! += 1;
      }),
    ),
  );
  isDone = true;
  await counting;
  // A turn as it is counted here may begin between two pieces.
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2);
});

test("a holder of small pieces has several at a time between the large ones of another", async () => {
  const done: string[] = [];
  const ask = (holder: string, milliseconds: number) =>
    inSlice(holder, async () => {
      compute(milliseconds);
      done.push(holder);
    });
  void inSlice("large", async () => compute(10));
  await Promise.all([
    ...Array.from({ length: 6 }, () => ask("large", 10)),
    ...Array.from({ length: 6 }, () => ask("small", 0.1)),
  ]);
  const before = done.slice(0, done.lastIndexOf("small"));
  expect(before.filter((holder) => holder === "large").length).toBeLessThanOrEqual(2);
});

test("another holder waits for one piece of each at most", async () => {
  const done: string[] = [];
  const ask = (holder: string) =>
    inSlice(holder, async () => {
      compute(10);
      done.push(holder);
    });
  const many = Array.from({ length: 10 }, () => ask("many"));
  await Promise.all([...many, ask("few")]);
  expect(done.indexOf("few")).toBeLessThanOrEqual(2);
  expect(done.length).toBe(11);
});

test("what may not wait long begins in time, however many other holders wait", async () => {
  const done: string[] = [];
  const ask = (holder: string, milliseconds: number, longest = Number.POSITIVE_INFINITY) =>
    inSlice(
      holder,
      async () => {
        compute(milliseconds);
        done.push(holder);
      },
      { longest },
    );
  void inSlice("one", async () => compute(10));
  const others = Array.from({ length: 200 }, (_, place) => ask(`other ${place % 20}`, 2));
  await Promise.all([...Array.from({ length: 40 }, () => ask("urgent", 0.1, 50)), ...others]);
  // In the turns of its holder, they were four behind each twenty: the last one behind all others.
  expect(done.lastIndexOf("urgent")).toBeLessThan(120);
  expect(done.length).toBe(240);
});

test("work that fails fails alone", async () => {
  compute(10);
  const fails = () => Promise.reject(new Error("broken"));
  const told = await Promise.allSettled([1, 2, 3].map((n) => inSlice("one", n === 2 ? fails : async () => n)));
  expect(told.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("short work begins at once", async () => {
  async function turnsMeanwhile(): Promise<number> {
    await turn();
    let turns = 0;
    const counting = turn().then(() => turns++);
    for (let n = 0; n < 100; n++) await inSlice("one", async () => {});
    const counted = turns;
    await counting;
    return counted;
  }
  // A machine that stalls for milliseconds ends a slice: one try of several is undisturbed.
  let fewest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && fewest > 0; tries++) fewest = Math.min(fewest, await turnsMeanwhile());
  expect(fewest).toBe(0);
});
