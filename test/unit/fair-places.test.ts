/** Holders share places: each waits for its own work, and for one piece of each other holder. */
import { expect, test } from "vitest";
import { createFairPlaces } from "../../src/kit/waiting/fair-places.ts";

/** Work that ends when the test says so. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve };
}

const late = () => new Error("late");

test("lines are served in turn, whoever came first", async () => {
  const places = createFairPlaces(1, { patience: 10_000, late });
  const held = openWork();
  const seen: string[] = [];
  const asked = ["a1", "a2", "a3", "b1", "c1", "b2"].map((name) =>
    places.run(name[0]!, async () => {
      seen.push(name);
      if (name === "a1") await held.run();
    }),
  );
  expect([seen, places.waiting]).toEqual([["a1"], 5]);
  held.end();
  await Promise.all(asked);
  expect([seen, places.waiting]).toEqual([["a1", "a2", "b1", "c1", "a3", "b2"], 0]);
});

test("as many run at once as there are places", async () => {
  const places = createFairPlaces(3, { patience: 10_000, late });
  const works = Array.from({ length: 5 }, openWork);
  let running = 0;
  const asked = works.map(({ run }) =>
    places.run("a", async () => {
      running += 1;
      await run();
      running -= 1;
    }),
  );
  expect(running).toBe(3);
  works[1]!.end();
  await asked[1];
  expect([running, places.waiting]).toEqual([3, 1]);
  for (const { end } of works) end();
  await Promise.all(asked);
  expect(running).toBe(0);
});

test("a holder has no more places than it may have, and leaves the others to whoever comes", async () => {
  const places = createFairPlaces(3, { ofHolder: 2, patience: 10_000, late });
  const works = Array.from({ length: 6 }, openWork);
  const seen: string[] = [];
  const asked = ["a1", "a2", "a3", "b1", "b2", "a4"].map((name, place) =>
    places.run(name[0]!, async () => {
      seen.push(name);
      await works[place]!.run();
    }),
  );
  expect([seen, places.waiting]).toEqual([["a1", "a2", "b1"], 3]);
  works[3]!.end();
  await asked[3];
  expect(seen, "the place of b is for b, since a has its two").toEqual(["a1", "a2", "b1", "b2"]);
  works[0]!.end();
  await asked[0];
  expect(seen).toEqual(["a1", "a2", "b1", "b2", "a3"]);
  for (const { end } of works) end();
  await Promise.all(asked);
  expect([seen.at(-1), places.waiting]).toEqual(["a4", 0]);
});

test("places beside brief work are given once it has taken long, to those that wait before those that come", async () => {
  const brief = { most: 2, milliseconds: 30 };
  const places = createFairPlaces(4, { brief, patience: 10_000, late });
  const works = Array.from({ length: 7 }, openWork);
  const seen: string[] = [];
  const run = (name: string) =>
    places.run(name[0]!, () => {
      seen.push(name);
      return works[seen.length - 1]!.run();
    });
  const [first, ...others] = ["a1", "a2", "a3", "b1", "a4"].map(run);
  expect([seen, places.waiting], "two are free, but for none of these").toEqual([["a1", "a2"], 3]);
  works[0]!.end();
  await first;
  expect([seen, places.waiting], "a place that is given back serves the next").toEqual([["a1", "a2", "a3"], 2]);
  await expect.poll(() => seen, { interval: 1 }).toEqual(["a1", "a2", "a3", "b1", "a4"]);
  const last = run("c1");
  expect([seen.length, places.waiting], "all four are taken").toEqual([5, 1]);
  for (const { end } of works) end();
  await Promise.all([...others, last]);
  expect([seen.at(-1), places.waiting]).toEqual(["c1", 0]);
});

test("work that fails leaves its place to the next", async () => {
  const places = createFairPlaces(1, { patience: 10_000, late });
  const failing = places.run("a", () => Promise.reject(new Error("broken")));
  const next = places.run("b", async () => "done");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
});

test("a wait ends with its patience, and takes no place", async () => {
  const places = createFairPlaces(1, { patience: 20, late });
  const held = openWork();
  const first = places.run("a", held.run);
  let ran = false;
  await expect(places.run("b", async () => (ran = true))).rejects.toThrow("late");
  expect([ran, places.waiting]).toEqual([false, 0]);
  held.end();
  await first;
  expect(await places.run("b", async () => "done")).toBe("done");
});
