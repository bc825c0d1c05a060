/** Whoever looks ahead in the log takes what it wants in pieces, each event once, whatever fails on the way. */
import { describe, expect, it } from "vitest";
import { createCallAs } from "../../src/events/call-as.ts";
import { beginFollowing } from "../../src/events/follow.ts";
import { lookAhead } from "../../src/events/look-ahead.ts";
import type { EventHead } from "../../src/events/look-ahead.ts";
import type { Database } from "../../src/storage/database.ts";
import { operatorOf } from "../../src/tenancy/workspaces/operator.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { someEvent, stampAll } from "../support/events.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { toolsOf } from "../support/tools.ts";

const clock = new ManualClock();

async function givenEvents(database: Database, count: number): Promise<void> {
  await beginFollowing(database, "test");
  const callAs = createCallAs({ database, tools: toolsOf(clock), committed: () => {} });
  const caller = callAs(operatorOf(1));
  await caller.change((change) => change.record(...Array.from({ length: count }, () => someEvent)));
  await stampAll(database);
}

describe.each(databaseKinds)("on %s", (kind) => {
  it.each<[what: string, times: (position: number) => number, parts: number[][]]>([
    ["nothing is taken where nothing is wanted", () => 0, []],
    ["what fits is taken at once", (position) => (position < 5 ? 1 : 0), [[1, 2, 3, 4]]],
    ["what does not fit is taken in pieces", () => 1, [[1, 2, 3, 4], [5, 6, 7, 8], [9]]],
    [
      "what one event wants stays together",
      (position) => (position < 4 ? 3 : 0),
      [
        [1, 1, 1, 2, 2, 2],
        [3, 3, 3],
      ],
    ],
    ["also where it is more than a piece", (position) => (position === 2 ? 6 : 0), [[2, 2, 2, 2, 2, 2]]],
  ])("%s", async (_what, times, parts) => {
    await using fresh = await openFresh(kind);
    await givenEvents(fresh.database, 9);
    const taken: number[][] = [];
    const look = lookAhead<EventHead>(fresh.database, {
      name: "test",
      clock,
      choose: async (heads) => heads.flatMap((head) => Array.from({ length: times(head.position) }, () => head)),
      positionOf: ({ position }) => position,
      mostTaken: 4,
      take: (wanted) => void taken.push(wanted.map(({ position }) => position)),
    });
    expect([await look(), await look()]).toEqual([9, 0]);
    expect(taken).toEqual(parts);
  });

  it("goes on behind the last piece that was taken, where one fails", async () => {
    await using fresh = await openFresh(kind);
    await givenEvents(fresh.database, 9);
    const taken: number[] = [];
    let mayFail = true;
    const look = lookAhead<EventHead>(fresh.database, {
      name: "test",
      clock,
      choose: async (heads) => heads,
      positionOf: ({ position }) => position,
      mostTaken: 4,
      take(wanted) {
        if (mayFail && wanted.some(({ position }) => position === 6)) throw new Error("half way");
        taken.push(...wanted.map(({ position }) => position));
      },
    });
    await expect(look()).rejects.toThrow("half way");
    expect(taken).toEqual([1, 2, 3, 4]);
    mayFail = false;
    expect([await look(), await look()]).toEqual([5, 0]);
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
