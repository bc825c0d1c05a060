/** The registry of workers: which of them are certainly dead, and that it stays small. */
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { createWorkers } from "../../src/storage/installation/workers.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import type { OpenedDatabase } from "../support/databases.ts";
import { ManualClock } from "../support/manual-clock.ts";

/** The process mark of this test. */
const here = { machine: "boot pid:[1] time:[1] host", pid: process.pid, startedAt: 0 };
const goneHere = { ...here, pid: 2 ** 30 };

describe.each(databaseKinds)("workers on %s", (kind) => {
  let fresh: OpenedDatabase;
  const clock = new ManualClock();
  beforeEach(async () => {
    fresh = await openFresh(kind);
  });
  afterEach(() => fresh[Symbol.asyncDispose]());

  const workers = (mark: Parameters<typeof createWorkers>[2]) => createWorkers(fresh.database, clock, mark);
  const ids = async () =>
    (await fresh.database.rows<{ id: number }>("select id from workers order by id")).map(({ id }) => id);

  test.each<[what: string, mark: typeof here, isGone: boolean]>([
    ["whose process has ended on this machine", goneHere, true],
    ["from before the machine was started anew", { ...goneHere, machine: "earlier pid:[1] time:[1] host" }, false],
    ["in another container", { ...goneHere, machine: "boot pid:[2] time:[1] host" }, false],
    ["on a machine of another name", { ...goneHere, machine: "boot pid:[1] time:[1] other" }, false],
  ])("one %s: considered dead is %s", async (_what, mark, isGone) => {
    const id = (await workers(mark).own())!;
    expect(await workers(here).findGone([id])).toEqual(isGone ? [id] : []);
  });

  it("a running worker is not dead, nor an unknown one", async () => {
    const running = await import("../../src/kit/process-mark.ts").then(({ readOwnMark }) => readOwnMark());
    const id = await workers(running).own();
    await workers(goneHere).own();
    expect(await workers(running).findGone(id === null ? [] : [id])).toEqual([]);
  });

  it("without process marks nothing is registered, and no worker is dead", async () => {
    const id = (await workers(goneHere).own())!;
    const blind = workers(null);
    expect([await blind.own(), await blind.findGone([id])]).toEqual([null, []]);
    await blind.renew();
    expect(await ids()).toEqual([id]);
  });

  it("registers once, stays while its heartbeat continues, and registers again after it was removed", async () => {
    const [one, other] = [workers(here), workers(goneHere)];
    const own = await one.own();
    expect(await Promise.all([one.own(), one.own()])).toEqual([own, own]);
    await other.own();
    clock.advance({ minutes: 9 });
    await one.renew();
    clock.advance({ minutes: 2 });
    await one.renew();
    expect(await ids()).toEqual([own]);
    clock.advance({ minutes: 11 });
    await other.renew();
    expect(await ids()).toEqual([]);
    await one.renew();
    const another = await one.own();
    expect([await ids(), another === own]).toEqual([[another], false]);
  });
});
