/** Each duty has a loop of its own: what one does, waits for or fails at disturbs no other, and none ever spins. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { Clock } from "../../src/kit/time/clock.ts";
import { periodic } from "../../src/kit/duty.ts";
import type { WrittenTables } from "../../src/vocabulary/written-tables.ts";
import type { Duty } from "../../src/kit/duty.ts";
import { createWorker } from "../../src/worker.ts";
import type { Worker } from "../../src/worker.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { askingDuty, openSlowNetwork } from "../support/slow-network.ts";

/** A scan that does not come while a test runs: what happens then was woken, or due. */
const never = "0 0 1 1 *";

let worker: Worker | undefined;
const reported: string[] = [];
afterEach(async () => {
  await worker?.stop();
  reported.length = 0;
});

/** Tells the worker of a commit. */
let commit: (tables: WrittenTables) => void = () => {};

function workerOf(
  duties: readonly Duty[],
  { clock = systemClock, scan = never, load }: { clock?: Clock; scan?: string; load?: () => number } = {},
): Worker {
  const watch = async (listener: typeof commit) => {
    commit = listener;
    return async () => {};
  };
  worker = createWorker({
    loadDuties: async () => duties,
    clock,
    scan,
    watch,
    report: (error, duty) => reported.push(`${duty}: ${(error as Error).message}`),
    ...(load && { load }),
  });
  return worker;
}

/** A duty that counts its runs; `run` says what it does, which is nothing unless told. */
function counting(name: string, { run = async () => "done", ...rest }: Partial<Duty> = {}) {
  const runs: number[] = [];
  const duty: Duty = {
    name,
    wokenBy: ["events"],
    nextDue: async () => null,
    ...rest,
    run(signal) {
      runs.push(performance.now());
      return run(signal);
    },
  };
  return { ...duty, runs };
}

/** Waits for what has to become true, as long as a busy machine may take. */
function soon(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 8000, interval: 5 });
}

/** The milliseconds between one run and the next. No timer is early by more than one, and all may be late. */
function pausesOf({ runs }: { readonly runs: readonly number[] }): number[] {
  return runs.slice(1).map((run, place) => run - runs[place]! + 1);
}

/** Commits, one every five milliseconds. */
async function commitsFor(milliseconds: number): Promise<void> {
  for (const end = performance.now() + milliseconds; performance.now() < end; await sleep(5)) worker?.wake();
}

describe("a commit", () => {
  test("wakes the duties that wait for one, and no others", async () => {
    const [woken, asleep] = [counting("woken"), counting("asleep", { wokenBy: [] })];
    await workerOf([woken, asleep]).start();
    await sleep(30);
    expect([woken.runs.length, asleep.runs.length]).toEqual([1, 1]);
    worker?.wake();
    await soon(() => expect(woken.runs.length).toBe(2));
    await sleep(50);
    expect([woken.runs.length, asleep.runs.length]).toEqual([2, 1]);
  });

  test.each([0, 0.5])("wakes at once in a process with a load of %d", async (load) => {
    const duty = counting("woken");
    await workerOf([duty], { load: () => load }).start();
    await sleep(30);
    for (let commit = 2; commit <= 4; commit++) {
      worker?.wake();
      await setImmediate();
      expect(duty.runs.length).toBe(commit);
    }
  });

  test("is one with the others of its moment in a busy one", async () => {
    const duty = counting("woken");
    await workerOf([duty], { load: () => 1 }).start();
    await sleep(30);
    for (let commit = 0; commit < 10_000; commit++) worker?.wake();
    await soon(() => expect(duty.runs.length).toBe(2));
    // Ten milliseconds are a moment.
    for (const end = performance.now() + 200; performance.now() < end; await sleep(1)) worker?.wake();
    expect(duty.runs.length).toBeGreaterThan(2);
    for (const pause of pausesOf(duty).slice(1)) expect(pause).toBeGreaterThanOrEqual(10);
  });

  test("while the duty runs makes it run once more", async () => {
    const duty = counting("slow", { run: async () => (await sleep(50), "done") });
    await workerOf([duty]).start();
    await sleep(20);
    worker?.wake();
    await soon(() => expect(duty.runs.length).toBe(2));
  });
});

test("the scan wakes every duty", async () => {
  const duties = [counting("woken"), counting("asleep", { wokenBy: [] })];
  await workerOf(duties, { scan: "* * * * * *" }).start();
  await soon(() => expect(duties.map(({ runs }) => runs.length)).toEqual([2, 2]));
});

test.each([
  { what: "of one table wakes the duties that work in it", tables: ["contacts", "events"], runs: [2, 1, 1] },
  { what: "of other tables wakes none", tables: ["contacts"], runs: [1, 1, 1] },
  { what: "of unknown tables wakes all that work in one", tables: null, runs: [2, 2, 1] },
])("a commit $what", async ({ tables, runs }) => {
  const duties = [counting("stamp"), counting("send", { wokenBy: ["hook_queues", "hooks"] })];
  const asleep = counting("asleep", { wokenBy: [] });
  await workerOf([...duties, asleep]).start();
  await sleep(30);
  commit(tables === null ? null : new Set(tables));
  await sleep(50);
  expect([...duties, asleep].map((duty) => duty.runs.length)).toEqual(runs);
});

describe("a duty that waits ten seconds on the network", () => {
  test("keeps no other waiting", async () => {
    await using network = await openSlowNetwork(10);
    const quick = counting("quick");
    await workerOf([askingDuty(network), quick]).start();
    await soon(() => expect(network.asked()).toBe(1));
    for (let commit = 2; commit <= 10; commit++) {
      worker?.wake();
      await soon(() => expect(quick.runs.length).toBe(commit));
    }
    expect(network.asked()).toBe(1);
  });

  test("is aborted by the stop, gives back what it has taken before the stop is over, and is not reported", async () => {
    await using network = await openSlowNetwork(10);
    let taken = 0;
    const asks = askingDuty(network);
    const duty: Duty = {
      ...asks,
      async run(signal) {
        taken += 1;
        try {
          return await asks.run(signal);
        } finally {
          await sleep(20);
          taken -= 1;
        }
      },
    };
    await workerOf([duty]).start();
    await soon(() => expect(network.asked()).toBe(1));
    const begun = performance.now();
    await worker?.stop();
    // The answer comes after ten seconds.
    expect(performance.now() - begun).toBeLessThan(5000);
    expect({ taken, reported }).toEqual({ taken: 0, reported: [] });
  });

  test("is aborted in runOnce as well", async () => {
    await using network = await openSlowNetwork(10);
    const once = workerOf([askingDuty(network)]).runOnce();
    await soon(() => expect(network.asked()).toBe(1));
    await worker?.stop();
    await once;
    expect(reported).toEqual([]);
  });

  test("that fails to give back what it has taken is reported", async () => {
    const stuck = counting("stuck", {
      run: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("the database is gone")));
        }),
    });
    await workerOf([stuck]).start();
    await worker?.stop();
    expect(reported).toEqual(["stuck: the database is gone"]);
  });
});

describe("a duty that fails", () => {
  const failure = () => Promise.reject(new Error("no"));
  test.each([
    ["when it runs", { run: failure }],
    ["when it is asked for its next time", { nextDue: failure }],
    ["before it waits for anything", { run: () => void JSON.parse("{") as never }],
  ])("%s is reported by its name, tried again after longer and longer, and disturbs no other", async (_when, fails) => {
    const [broken, sound] = [counting("broken", fails), counting("sound")];
    await workerOf([broken, sound]).start();
    // However often something is committed.
    await commitsFor(800);
    await soon(() => expect(broken.runs.length).toBeGreaterThanOrEqual(4));
    pausesOf(broken).forEach((pause, place) => expect(pause).toBeGreaterThanOrEqual(100 * 2 ** place));
    expect(reported.length).toBe(broken.runs.length);
    expect(reported.every((line) => line.startsWith("broken: "))).toBe(true);
    expect(sound.runs.length).toBeGreaterThan(2 * broken.runs.length);
  });

  test("works on as before once it succeeds, and begins with the shortest pause when it fails again", async () => {
    let failing = 3;
    const recovering = counting("recovering", {
      run: async () => {
        if (failing-- > 0) throw new Error("not yet");
        return "done";
      },
    });
    await workerOf([recovering]).start();
    await soon(() => expect(recovering.runs.length).toBe(4));
    failing = 1;
    worker?.wake();
    await soon(() => expect(recovering.runs.length).toBe(6));
    const [before = 0, after = 0] = recovering.runs.slice(-2);
    // After three failures in a row the next pause would be 800 milliseconds, and not 100.
    expect(after - before).toBeLessThan(790);
    expect(reported.length).toBe(4);
  });
});

describe("no duty spins", () => {
  test("that is overdue and finds nothing to do: its pauses grow, and a commit ends them", async () => {
    const overdue = counting("overdue", { nextDue: async () => new Date(0) });
    await workerOf([overdue]).start();
    await soon(() => expect(overdue.runs.length).toBe(7));
    pausesOf(overdue).forEach((pause, place) => expect(pause).toBeGreaterThanOrEqual(10 * 2 ** place));
    // The next pause is 640 milliseconds, and one of ten.
    worker?.wake();
    await soon(() => expect(overdue.runs.length).toBe(8));
    expect(pausesOf(overdue).at(-1)).toBeLessThan(640);
  });

  test("that always has more to do without waiting for anything: others run, and it can be stopped", async () => {
    const most = 100_000;
    const quick = counting("quick");
    const busy = counting("busy", { run: async () => (busy.runs.length < most ? "more" : "done") });
    await workerOf([busy, quick]).start();
    worker?.wake();
    await soon(() => expect(quick.runs.length).toBeGreaterThan(1));
    await worker?.stop();
    expect(busy.runs.length).toBeLessThan(most);
  });

  test("by a clock that stands still: it looks again after as long as the clock says, and runs once it is moved", async () => {
    const clock = new ManualClock();
    let done = 0;
    const duty = periodic({ name: "now and then", everySeconds: 0.1, clock, run: async () => (done++, "done") });
    const looked = vi.spyOn(duty, "run");
    await workerOf([duty], { clock }).start();
    const begun = performance.now();
    await soon(() => expect(looked.mock.calls.length).toBe(5));
    // A tenth of a second between two looks.
    expect(performance.now() - begun).toBeGreaterThan(390);
    expect(done).toBe(1);
    clock.advance({ milliseconds: 100 });
    await soon(() => expect(done).toBe(2));
  });

  test("by a clock that is set back: it runs, and is due again as long after that as ever", async () => {
    const clock = new ManualClock();
    let done = 0;
    const duty = periodic({ name: "now and then", everySeconds: 600, clock, run: async () => (done++, "done") });
    const look = async () => (await duty.run(AbortSignal.timeout(60_000)), done);
    expect([await look(), await look()]).toEqual([1, 1]);
    clock.advance({ days: -1 });
    expect([await look(), await look()]).toEqual([2, 2]);
    clock.advance({ seconds: 600 });
    expect(await look()).toBe(3);
  });
});

test("a duty that is due some time from now runs then, woken by nobody", async () => {
  const due = systemClock.now().getTime() + 200;
  const timed = counting("timed", {
    wokenBy: [],
    nextDue: async () => (timed.runs.length === 1 ? new Date(due) : null),
  });
  await workerOf([timed]).start();
  await soon(() => expect(timed.runs.length).toBe(2));
  const [begun = 0, run = 0] = timed.runs;
  expect(run - begun).toBeGreaterThan(150);
});

describe("runOnce", () => {
  test("runs side by side, and again until none has more: work that another one made is done as well", async () => {
    let waiting = 0;
    let delivered = 0;
    // What comes first in the list waits for what comes last.
    const delivers = counting("deliver", {
      run: async () => {
        if (waiting === 0) return "done";
        waiting -= 1;
        delivered += 1;
        return "more";
      },
    });
    const plans = counting("plan", {
      run: async () => {
        if (plans.runs.length > 3) return "done";
        await sleep(20);
        waiting += 1;
        return "more";
      },
    });
    await workerOf([delivers, plans]).runOnce();
    expect({ waiting, delivered }).toEqual({ waiting: 0, delivered: 3 });
  });

  test("waits for the slowest and not for the sum", async () => {
    // None is done before all have begun.
    let begun = 0;
    const all = Promise.withResolvers<void>();
    const run = async () => {
      begun += 1;
      if (begun === 4) all.resolve();
      await all.promise;
      return "done" as const;
    };
    await workerOf([1, 2, 3, 4].map((number) => counting(`slow ${number}`, { run }))).runOnce();
    expect(begun).toBe(4);
  });

  test("reports a duty that fails once, goes on with the others, and throws in the end", async () => {
    const broken = counting("broken", { run: () => Promise.reject(new Error("no")) });
    const sound = counting("sound", { run: async () => (sound.runs.length < 3 ? "more" : "done") });
    await expect(workerOf([broken, sound]).runOnce()).rejects.toThrow("no");
    expect({ reported, broken: broken.runs.length, sound: sound.runs.length }).toEqual({
      reported: ["broken: no"],
      broken: 1,
      sound: 4,
    });
  });
});

describe("start and stop", () => {
  test("duties are loaded by the first that needs them, once, and work again after a stop", async () => {
    const duty = counting("duty");
    const loadDuties = vi.fn<() => Promise<Duty[]>>(async () => [duty]);
    worker = createWorker({ loadDuties, clock: systemClock, scan: never, watch: async () => async () => {}, report });
    worker.wake();
    await worker.stop();
    expect(loadDuties).not.toHaveBeenCalled();
    await worker.runOnce();
    await worker.start();
    await worker.stop();
    await worker.runOnce();
    expect([loadDuties.mock.calls.length, duty.runs.length]).toEqual([1, 3]);
  });

  test("what cannot be loaded is told to whoever starts it", async () => {
    const loadDuties = () => Promise.reject(new Error("no such module"));
    worker = createWorker({ loadDuties, clock: systemClock, scan: never, watch: async () => async () => {}, report });
    await expect(worker.start()).rejects.toThrow("no such module");
  });

  test("stopped while it starts, it does nothing", async () => {
    const duty = counting("duty");
    const watch = vi.fn<() => Promise<() => Promise<void>>>(async () => async () => {});
    worker = createWorker({ loadDuties: async () => [duty], clock: systemClock, scan: never, watch, report });
    const starting = worker.start();
    await worker.stop();
    await starting;
    await sleep(30);
    expect([duty.runs.length, watch.mock.calls.length]).toEqual([0, 0]);
  });
});

function report(error: unknown): void {
  throw error;
}
