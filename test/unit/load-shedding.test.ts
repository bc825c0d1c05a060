/** Load shedding: where the process is busy all the time, or its database, deliveries and messages yield to changes, and only to those. */
import { expect, test } from "vitest";
import { createLoadShedder } from "../../src/queues/load-shedding.ts";

/** Nothing waits for it. */
const idle = { load: { waits: 0, waitedMilliseconds: 0 } };

/**
 * `changes` come evenly in each of ten slices of a hundred milliseconds, and each waits `waits` milliseconds for the database; what may begin, in each
 * of them.
 */
function rooms({ busy, changes, waits = 0 }: { busy: number; changes: number; waits?: number }): number[] {
  let time = 0;
  const database = { load: { waits: 0, waitedMilliseconds: 0 } };
  const way = createLoadShedder(database, { now: () => time, busy: () => busy });
  return Array.from({ length: 10 }, () => {
    const { load } = database;
    database.load = { waits: load.waits + changes, waitedMilliseconds: load.waitedMilliseconds + changes * waits };
    for (let change = 0; change < changes; change += 1) way.changed();
    time += 100;
    const room = way.room();
    way.began(Math.min(room, 1000));
    return room;
  });
}

test.each([
  ["nobody changes anything", { busy: 1, changes: 0 }],
  ["few do", { busy: 1, changes: 9 }],
  ["many do, and there is time for them", { busy: 0.8, changes: 500 }],
  ["many do, and hardly wait for the database", { busy: 0.8, changes: 500, waits: 9 }],
  ["few do, and wait for the database", { busy: 0.2, changes: 9, waits: 50 }],
])("all that wait may begin while %s", (_when, load) =>
  expect(rooms(load)).toEqual(Array<number>(10).fill(Number.POSITIVE_INFINITY)),
);

test.each([
  ["there is no time left", { busy: 0.95, changes: 50 }],
  ["they wait for the database", { busy: 0.2, changes: 50, waits: 10 }],
])("four hundred a second begin while many change something and %s", (_why, load) =>
  expect(rooms(load)).toEqual([0, ...Array<number>(9).fill(40)]),
);

test("half of them may begin without having been queued", () => {
  let time = 0;
  const way = createLoadShedder(idle, { now: () => time, busy: () => 1 });
  const pass = (milliseconds: number): number[] => {
    for (let change = 0; change < milliseconds; change += 1) way.changed();
    time += milliseconds;
    return [way.roomPastQueue(), way.room()];
  };
  expect([pass(100), pass(50)]).toEqual([
    [0, 0],
    [10, 20],
  ]);
  way.began(10, { pastQueue: true });
  expect([pass(0), pass(50)]).toEqual([
    [0, 10],
    [10, 30],
  ]);
  way.began(25);
  expect(pass(0)).toEqual([5, 5]);
});

test("what did not begin in a tenth of a second is not made up for", () => {
  let time = 0;
  const way = createLoadShedder(idle, { now: () => time, busy: () => 1 });
  const pass = (milliseconds: number): number => {
    for (let change = 0; change < milliseconds; change += 1) way.changed();
    time += milliseconds;
    return way.room();
  };
  expect([pass(100), pass(50), pass(5000)]).toEqual([0, 20, 40]);
});

test("all that wait may begin again when the others are done", () => {
  let time = 0;
  const way = createLoadShedder(idle, { now: () => time, busy: () => 1 });
  for (let change = 0; change < 100; change += 1) way.changed();
  expect([((time += 100), way.room()), ((time += 100), way.room())]).toEqual([0, Number.POSITIVE_INFINITY]);
});
