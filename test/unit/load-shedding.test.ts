/** Load shedding: where the process is busy all the time, or its database, deliveries and messages yield to changes, and only to those. */
import { expect, test } from "vitest";
import { createLoadShedder } from "../../src/queues/load-shedding.ts";

/** Nothing waits for it. */
const idle = { load: { waits: 0, waitedMilliseconds: 0, transactions: 0, transactionMilliseconds: 0 } };

interface Load {
  readonly busy: number;
  readonly changes: number;
  readonly waits?: number;
  readonly takes?: readonly [first: number, then: number];
}

/**
 * `changes` come evenly in each of ten slices of a hundred milliseconds, and each waits `waits` milliseconds for the database, which then takes
 * the first or the second of `takes`; what may begin, in each of them.
 */
function rooms({ busy, changes, waits = 0, takes = [1, 1] }: Load): number[] {
  let time = 0;
  const database = { ...idle };
  const way = createLoadShedder(database, { now: () => time, busy: () => busy });
  return Array.from({ length: 10 }, (_, slice) => {
    const { load } = database;
    database.load = {
      waits: load.waits + changes,
      transactions: load.transactions + changes,
      waitedMilliseconds: load.waitedMilliseconds + changes * waits,
      transactionMilliseconds: load.transactionMilliseconds + changes * takes[slice === 0 ? 0 : 1],
    };
    for (let change = 0; change < changes; change += 1) way.changed();
    time += 100;
    const room = way.room();
    way.began(Math.min(room, 1000));
    return room;
  });
}

test.each([
  ["nobody changes anything", { busy: 1, changes: 0 }],
  ["few do", { busy: 1, changes: 4 }],
  ["many do, and there is time for them", { busy: 0.8, changes: 500 }],
  ["many do, and hardly wait for the database", { busy: 0.8, changes: 500, waits: 9 }],
  ["few do, and wait for the database", { busy: 0.2, changes: 4, waits: 50 }],
  ["many do, and the database takes longer", { busy: 0.2, changes: 50, takes: [1, 2.9] as const }],
  ["many do, and the database is always slow", { busy: 0.2, changes: 50, takes: [15, 15] as const }],
])("all that wait may begin while %s", (_when, load) =>
  expect(rooms(load)).toEqual(Array<number>(10).fill(Number.POSITIVE_INFINITY)),
);

test.each([
  ["there is no time left", { busy: 0.95, changes: 50 }],
  ["there is no time left, from the first tenth of a second on", { busy: 0.95, changes: 6 }],
  ["they wait for the database", { busy: 0.2, changes: 50, waits: 10 }],
])("three hundred a second begin while many change something and %s", (_why, load) =>
  expect(rooms(load)).toEqual([0, ...Array<number>(9).fill(30)]),
);

test("the same while the database takes three times as long as at best", () =>
  expect(rooms({ busy: 0.2, changes: 50, takes: [1, 3.1] })).toEqual([
    Number.POSITIVE_INFINITY,
    0,
    ...Array<number>(8).fill(30),
  ]));

test.each([60, 40])(
  "more begin again within 20 minutes after the database has become slow for good, beside %d changes a second",
  (perSecond) => {
    let time = 0;
    const database = { ...idle };
    const way = createLoadShedder(database, { now: () => time, busy: () => 0.2 });
    const roomAfter = (changesOfSlice: number, takes: number): number => {
      const { load } = database;
      database.load = {
        ...load,
        transactions: load.transactions + changesOfSlice,
        transactionMilliseconds: load.transactionMilliseconds + changesOfSlice * takes,
      };
      for (let change = 0; change < changesOfSlice; change += 1) way.changed();
      time += 100;
      const room = way.room();
      way.began(Math.min(room, 1000));
      return room;
    };
    for (let slice = 0; slice < 10; slice += 1) roomAfter(10, 1);
    for (let slice = 0; slice < 10; slice += 1) roomAfter(10, 3.1);
    const rooms = Array.from({ length: 20 * 60 * 10 }, () => roomAfter(perSecond / 10, 3.1));
    expect(rooms[100]).toBe(30);
    expect(rooms.at(-1)).toBeGreaterThan(100);
  },
);

test("work that begins in one tenth of a second and ends in the next is none that the database takes longer for", () => {
  let time = 0;
  const database = { ...idle };
  const way = createLoadShedder(database, { now: () => time, busy: () => 0.2 });
  const roomAfter = (begun: number, ended: number): number => {
    const { waits, transactions, transactionMilliseconds, ...load } = database.load;
    database.load = {
      ...load,
      waits: waits + begun,
      transactions: transactions + ended,
      transactionMilliseconds: transactionMilliseconds + ended * 2,
    };
    for (let change = 0; change < 5; change += 1) way.changed();
    time += 100;
    return way.room();
  };
  const rooms = [roomAfter(5, 5), roomAfter(21, 5), roomAfter(5, 21), roomAfter(5, 5)];
  expect(rooms).toEqual(Array<number>(4).fill(Number.POSITIVE_INFINITY));
});

/** A way beside a hundred changes a second, which were too many at first; `pass` lets time go by and gives what may begin then. */
function openBusyWay() {
  let time = 0;
  let share = 1;
  const way = createLoadShedder(idle, { now: () => time, busy: () => share });
  const pass = (milliseconds: number, changesOfSecond = 100): void => {
    for (let change = 0; change < (milliseconds * changesOfSecond) / 1000; change += 1) way.changed();
    time += milliseconds;
  };
  for (let n = 0; n < 10; n += 1) {
    pass(100);
    way.room();
  }
  return { way, pass, setBusy: (to: number) => void (share = to) };
}

test("as many again may begin without having been queued, and in a burst, however many of the queue begin", () => {
  const { way, pass } = openBusyWay();
  pass(50);
  way.began(Math.min(way.room(), 1000));
  expect([way.room(), way.roomPastQueue()]).toEqual([0, 90]);
  way.began(90, { pastQueue: true });
  expect(way.roomPastQueue()).toBe(0);
  pass(20);
  expect([way.room(), way.roomPastQueue()]).toEqual([6, 6]);
});

test("after a contended tenth of a second without changes, five of them are enough", () => {
  let time = 0;
  const way = createLoadShedder(idle, { now: () => time, busy: () => 1 });
  time = 100;
  const found = [way.room()];
  for (let change = 1; change <= 5; change += 1) {
    way.changed();
    time += 10;
    found.push(way.room());
    // Of a turn that looked before.
    way.began(64);
  }
  expect(found).toEqual([...Array<number>(5).fill(Number.POSITIVE_INFINITY), 0]);
  expect(way.roomPastQueue()).toBe(90);
  time += 10;
  // What began before is not made up for.
  expect(way.room()).toBe(3);
});

test("what did not begin in a tenth of a second is not made up for", () => {
  const { way, pass } = openBusyWay();
  pass(5000);
  expect(way.room()).toBe(30);
});

test.each([
  ["less and less, down to what contention leaves, while there is little time", 0.7, [43, 39, 36, 33, 30, 30]],
  ["more and more while there is time", 0.5, [53, 58, 64, 70, 77, 85]],
  ["what contention leaves as soon as there is none", 0.9, [30, 30, 30, 30, 30, 30]],
])("%s", (_what, share, expected) => {
  const { way, pass, setBusy } = openBusyWay();
  const rooms = (count: number): number[] =>
    Array.from({ length: count }, () => {
      pass(100);
      const room = way.room();
      way.began(room);
      return room;
    });
  setBusy(0.3);
  rooms(6);
  setBusy(share);
  expect(rooms(6)).toEqual(expected);
});

test("what is not used does not grow, and after five seconds all may begin", () => {
  const { way, pass, setBusy } = openBusyWay();
  setBusy(0.3);
  const rooms = Array.from({ length: 51 }, () => {
    pass(100);
    return way.room();
  });
  expect(rooms).toEqual([...Array<number>(49).fill(30), Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

test("all that wait may begin again within a second after the changes", () => {
  const { way, pass } = openBusyWay();
  pass(200, 0);
  expect(way.room()).toBe(30);
  pass(600, 0);
  expect(way.room()).toBe(Number.POSITIVE_INFINITY);
});
