/** One rate limit over several processes: never exceeded, whatever the distribution of requests, and little of it stays unused. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPortionedLimiter, createPortions } from "../../src/http/budget/shared-rate-limit.ts";
import { createRateLimiter } from "../../src/http/budget/rate-limit.ts";
import type { RateLimiter } from "../../src/http/budget/rate-limit.ts";
import { ManualClock } from "../support/manual-clock.ts";

const limit = { requests: 100, seconds: 10 };

function several(count: number, clock: ManualClock) {
  const grant = createPortions(count, clock);
  let asked = 0;
  const ask = async (holder: string) => {
    asked += 1;
    return grant(holder, limit);
  };
  const processes: RateLimiter[] = Array.from({ length: count }, () => createPortionedLimiter(limit, clock, ask));
  return { processes, asked: () => asked };
}

test("of many requests in any order over any processes, as many pass as the limit says, but for what lies with others", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .integer({ min: 1, max: 5 })
        .chain((count) =>
          fc.tuple(fc.constant(count), fc.array(fc.nat({ max: count - 1 }), { minLength: 200, maxLength: 300 })),
        ),
      async ([count, order]) => {
        const { processes } = several(count, new ManualClock());
        const budgets = await Promise.all(order.map((place) => processes[place]!("key")));
        const passed = budgets.filter((budget) => budget!.allowed).length;
        expect(passed).toBeLessThanOrEqual(limit.requests);
        const least = order.length / count < limit.requests ? 0.5 : 0.8;
        expect(passed).toBeGreaterThanOrEqual(limit.requests * least);
      },
    ),
  );
});

test("one process alone spends all of it, asks seldom, and counts down", async () => {
  const { processes, asked } = several(4, new ManualClock());
  const remaining: number[] = [];
  for (let sent = 0; sent < 100; sent++) remaining.push((await processes[0]!("key"))!.remaining);
  expect(remaining).toEqual(Array.from({ length: 100 }, (_, place) => 99 - place));
  expect(await processes[0]!("key")).toEqual({ allowed: false, limit: 100, remaining: 0, resetSeconds: 10 });
  expect(asked()).toBeLessThan(40);
});

test("another window, and another holder, has a budget of its own", async () => {
  const clock = new ManualClock();
  const { processes } = several(2, clock);
  for (let sent = 0; sent < 120; sent++) await processes[sent % 2]!("key");
  expect(await processes[0]!("key")).toMatchObject({ allowed: false });
  expect(await processes[0]!("other")).toMatchObject({ allowed: true });
  clock.advance({ seconds: 10 });
  expect(await processes[1]!("key")).toMatchObject({ allowed: true });
});

test("a clock that is set back ends the windows that would last longer than a window does", async () => {
  const clock = new ManualClock();
  const alone = createRateLimiter(limit, clock);
  const { processes } = several(2, clock);
  const consumeAll = async () => {
    for (let sent = 0; sent < 120; sent++) {
      alone("key");
      await processes[sent % 2]!("key");
    }
  };
  await consumeAll();
  clock.advance({ hours: -1 });
  expect([alone("key"), await processes[0]!("key"), await processes[1]!("key")]).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ allowed: true })),
  );
  await consumeAll();
  expect([alone("key"), await processes[0]!("key"), await processes[1]!("key")]).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ allowed: false, remaining: 0, resetSeconds: 10 })),
  );
});

test("without a limit nobody asks", () => {
  expect(
    createPortionedLimiter(null, new ManualClock(), () => Promise.reject(new Error("asked")))("key"),
  ).toBeUndefined();
});
