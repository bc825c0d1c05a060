/** Load shedding: in a process that is busy all the time, deliveries and messages yield to changes, and only to those. */
import { expect, test } from "vitest";
import { createLoadShedder } from "../../src/queues/load-shedding.ts";

/** `changes` come evenly in each of ten slices of a hundred milliseconds; what may begin, in each of them. */
function rooms({ busy, changes }: { busy: number; changes: number }): number[] {
  let time = 0;
  const way = createLoadShedder({ now: () => time, busy: () => busy });
  return Array.from({ length: 10 }, () => {
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
])("all that wait may begin while %s", (_when, load) =>
  expect(rooms(load)).toEqual(Array<number>(10).fill(Number.POSITIVE_INFINITY)),
);

test("four hundred a second begin while many change something and there is no time left", () => {
  expect(rooms({ busy: 0.95, changes: 50 })).toEqual([0, ...Array<number>(9).fill(40)]);
});

test("what did not begin in a tenth of a second is not made up for", () => {
  let time = 0;
  const way = createLoadShedder({ now: () => time, busy: () => 1 });
  const pass = (milliseconds: number): number => {
    for (let change = 0; change < milliseconds; change += 1) way.changed();
    time += milliseconds;
    return way.room();
  };
  expect([pass(100), pass(50), pass(5000)]).toEqual([0, 20, 40]);
});

test("all that wait may begin again when the others are done", () => {
  let time = 0;
  const way = createLoadShedder({ now: () => time, busy: () => 1 });
  for (let change = 0; change < 100; change += 1) way.changed();
  expect([((time += 100), way.room()), ((time += 100), way.room())]).toEqual([0, Number.POSITIVE_INFINITY]);
});
