/** Followers of the log see each event once and in order, whoever writes, prunes or fails meanwhile. */
import { describe, expect, it } from "vitest";
import { createCallAs, createChangeAcross } from "../../src/events/call-as.ts";
import { beginFollowing, follow, hasNews } from "../../src/events/follow.ts";
import { stampPositions } from "../../src/events/positions.ts";
import type { Database } from "../../src/storage/database.ts";
import { operatorOf } from "../../src/tenancy/workspaces/operator.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { someEvent, stampAll } from "../support/events.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { toolsOf } from "../support/tools.ts";

const identity = operatorOf(1);

function ground(database: Database) {
  let commits = 0;
  const given = { database, tools: toolsOf(new ManualClock()), committed: () => void (commits += 1) };
  return { callAs: createCallAs(given), across: createChangeAcross(given), commits: () => commits };
}

describe.each(databaseKinds)("following the log on %s", (kind) => {
  it("begins with what comes after, and hands each event over once and in order", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const caller = ground(database).callAs(identity);
    await caller.change((change) => change.record(someEvent));
    await stampAll(database);
    await beginFollowing(database, "test");
    await beginFollowing(database, "test");
    expect(await hasNews(database, "test")).toBe(false);

    const ids = await caller.change((change) => change.record(someEvent, someEvent, someEvent, someEvent, someEvent));
    expect(await hasNews(database, "test")).toBe(false);
    await stampAll(database);
    expect(await hasNews(database, "test")).toBe(true);
    const seen: number[] = [];
    const read = () => follow(database, "test", 2, async (events) => void seen.push(...events.map(({ id }) => id)));
    expect([await read(), await read(), await read(), await read()]).toEqual([2, 2, 1, 0]);
    expect(seen).toEqual(ids);
  });

  it("keeps its mark where the work failed, and what the work wrote with it", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    await beginFollowing(database, "test");
    await ground(database)
      .callAs(identity)
      .change((change) => change.record(someEvent));
    await stampAll(database);
    const failing = follow(database, "test", 10, async (_events, { rows }) => {
      await rows("insert into event_marks (name, position) values ('half', 0)");
      throw new Error("half way");
    });
    await expect(failing).rejects.toThrow("half way");
    expect(await database.rows("select name from event_marks where name in ('test', 'half')")).toEqual([
      { name: "test" },
    ]);
    expect(await follow(database, "test", 10, async () => {})).toBe(1);
  });

  it("lets several workers follow under one name, each event still once", async () => {
    await using fresh = await openFresh(kind);
    const databases = [fresh.database, await fresh.openAgain(), await fresh.openAgain()];
    await beginFollowing(fresh.database, "test");
    const caller = ground(fresh.database).callAs(identity);
    const seen: number[] = [];
    let writing = true;
    const writer = (async () => {
      for (let round = 0; round < 30; round++) {
        await caller.change((change) => change.record(someEvent, someEvent));
        await stampPositions(fresh.database);
      }
      writing = false;
    })();
    const followers = databases.map(async (database) => {
      while (writing || (await hasNews(database, "test"))) {
        await follow(database, "test", 3, async (events) => void seen.push(...events.map(({ position }) => position)));
      }
    });
    await Promise.all([writer, ...followers]);
    expect(seen).toEqual(Array.from({ length: 60 }, (_, place) => place + 1));
  });

  it("refuses a name that never began", async () => {
    await using fresh = await openFresh(kind);
    await expect(follow(fresh.database, "nobody", 1, async () => {})).rejects.toThrow("nobody follows");
  });
});

describe.each(databaseKinds)("the birth certificate of an event on %s", (kind) => {
  it("says who did it, when it happened and which run caused it, where that is not the change itself", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const { callAs } = ground(database);
    const contact = { type: "contact", id: 7, name: "Ada" } as const;
    const occurredAt = new Date("2026-02-28T10:00:00.000Z");
    await callAs(identity).change((change) => change.record(someEvent));
    await callAs({ ...identity, cause: { runId: 3, depth: 2 } }).change((change) =>
      change.record({ ...someEvent, actor: contact, occurredAt }),
    );
    const rows = await database.rows("select actor_type, actor_id, run_id, depth, occurred_at from events order by id");
    expect(rows).toEqual([
      { actor_type: "system", actor_id: null, run_id: null, depth: 0, occurred_at: null },
      { actor_type: "contact", actor_id: 7, run_id: 3, depth: 2, occurred_at: occurredAt.getTime() },
    ]);
  });

  it("one transaction over several locations is one commit and one wake, or nothing at all", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const { across, commits } = ground(database);
    const places = [11, 12, 13].map((id) => ({ id, country: "US", timezone: "UTC" }));
    const recordAll = (then: () => void) =>
      across(async (as) => {
        for (const location of places) await as({ ...identity, location }).record(someEvent);
        then();
      });
    await recordAll(() => {});
    expect(await database.rows("select location_id from events order by id")).toEqual(
      places.map(({ id }) => ({ location_id: id })),
    );
    expect(commits()).toBe(1);

    const failing = recordAll(() => {
      throw new Error("the last of them failed");
    });
    await expect(failing).rejects.toThrow("the last of them failed");
    expect(await database.rows("select count(*) as count from events")).toEqual([{ count: 3 }]);
    expect(commits()).toBe(1);
  });
});
