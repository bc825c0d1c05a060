/** Every event gets one position, assigned after its commit: without gaps or duplicates, and never below a position already read. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createCallAs } from "../../src/events/call-as.ts";
import { hasUnstamped, stampPositions } from "../../src/events/positions.ts";
import type { Caller } from "../../src/events/caller.ts";
import type { Database } from "../../src/storage/database.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { someEvent } from "../support/events.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { toolsOf } from "../support/tools.ts";

function scopeOver(database: Database): Caller {
  const callAs = createCallAs({ database, tools: toolsOf(new ManualClock()), committed: () => {} });
  return callAs({
    workspaceId: 1,
    location: null,
    locationIds: null,
    actor: { type: "system", id: null, name: null },
    grant: { scopes: [], appId: null, role: null },
    user: null,
  });
}

type Stamped = { id: number; position: number };
const readLog = "select event_id as id, position from event_positions where position > ? order by position";

describe.each(databaseKinds)("positions on %s", (kind) => {
  it("have no gaps with many writers and two stamping workers", async () => {
    await using fresh = await openFresh(kind);
    const databases = [fresh.database, await fresh.openAgain()];
    let writing = true;
    const writers = databases.flatMap((database) =>
      Array.from({ length: 4 }, async () => {
        const caller = scopeOver(database);
        for (let round = 0; round < 10; round++) {
          await caller.change((change) => change.record(someEvent, someEvent, someEvent));
        }
      }),
    );
    const stampers = databases.map(async (database) => {
      while (writing || (await hasUnstamped(database))) await stampPositions(database);
    });
    // A follower reads from its mark during all of that.
    const followed: number[] = [];
    const ids = new Set<number>();
    const follow = async () => {
      const rows = await fresh.database.rows<Stamped>(readLog, [followed.at(-1) ?? 0]);
      for (const { id, position } of rows) {
        followed.push(position);
        ids.add(id);
      }
    };
    const follower = (async () => {
      while (writing) {
        await follow();
        await sleep(1);
      }
    })();
    // However the writers end, the stamping loops end as well.
    await Promise.all(writers).finally(() => (writing = false));
    await Promise.all([...stampers, follower]);
    await follow();

    expect(followed).toEqual(Array.from({ length: 240 }, (_, index) => index + 1));
    expect(ids.size).toBe(240);
    expect(await fresh.database.rows("select last_position from event_log")).toEqual([{ last_position: 240 }]);
    expect(await stampPositions(fresh.database)).toBe(0);
  });
});

it("on PostgreSQL are in commit order, not in insert order", async () => {
  await using fresh = await openFresh("postgres");
  const { database } = fresh;
  const caller = scopeOver(database);
  const written = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const slow = caller.change(async (change) => {
    const ids = await change.record(someEvent);
    written.resolve();
    await released.promise;
    return ids;
  });
  await written.promise;
  const [quickId] = await caller.change((change) => change.record(someEvent));
  expect(await stampPositions(database)).toBe(1);
  released.resolve();
  const [slowId] = await slow;
  expect(await stampPositions(database)).toBe(1);
  expect(slowId).toBeLessThan(quickId!);
  expect(await database.rows(readLog, [0])).toEqual([
    { id: quickId, position: 1 },
    { id: slowId, position: 2 },
  ]);
});
