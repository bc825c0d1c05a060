/** Payloads are pruned in log order, the events themselves stay, and one position separates pruned from kept ones. */
import { expect, it } from "vitest";
import { createCallAs } from "../../src/events/call-as.ts";
import { stampPositions } from "../../src/events/positions.ts";
import { hasPrunable, prunePayloads } from "../../src/events/retention.ts";
import type { Database } from "../../src/storage/database.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { someEvent } from "../support/events.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { toolsOf } from "../support/tools.ts";

const callerOf = (database: Database, clock: ManualClock) =>
  createCallAs({ database, tools: toolsOf(clock), committed: () => {} })({
    workspaceId: 1,
    location: null,
    locationIds: null,
    actor: { type: "system", id: null, name: null },
    grant: { scopes: [], appId: null, role: null },
    user: null,
  });

it.each(databaseKinds)("on %s", async (kind) => {
  await using fresh = await openFresh(kind);
  const { database } = fresh;
  const clock = new ManualClock();
  const caller = callerOf(database, clock);
  const write = async (count: number) => {
    await caller.change((change) => change.record(...Array.from({ length: count }, () => someEvent)));
  };
  const state = async () => {
    const [row] =
      await database.rows(`select forgotten_position as forgotten, count(*) as events, count(data) as payloads,
      min(case when data is not null then position end) as oldest
      from event_log cross join events left join event_positions on event_id = events.id where event_log.id = 1 group by forgotten_position`);
    return row;
  };

  await write(1200);
  while ((await stampPositions(database)) > 0);
  clock.advance({ days: 2 });
  const between = clock.now();
  clock.advance({ days: 2 });
  await write(2);
  // Events ahead of a follower's mark are kept.
  const moveMarks = (position: number) =>
    database.transaction(({ rows }) => rows("update event_marks set position = ?", [position]));
  expect([await hasPrunable(database, between), await prunePayloads(database, between)]).toEqual([false, 0]);
  await moveMarks(700);
  expect([await prunePayloads(database, between), await state()]).toEqual([
    700,
    { forgotten: 700, events: 1202, payloads: 502, oldest: 701 },
  ]);
  await database.transaction(({ rows }) => rows("update event_log set forgotten_position = 0"));
  await moveMarks(5000);
  // An event without a position is not pruned, whatever its age.
  expect(await hasPrunable(database, between)).toBe(true);
  expect([await prunePayloads(database, between), await state()]).toEqual([
    1000,
    { forgotten: 1000, events: 1202, payloads: 202, oldest: 1001 },
  ]);
  // Two concurrent workers.
  const other = await fresh.openAgain();
  const both = await Promise.all([database, other].map((one) => prunePayloads(one, between)));
  expect(both.every((count) => count === 0 || count === 200)).toBe(true);
  while ((await stampPositions(database)) > 0);
  expect(await state()).toEqual({ forgotten: 1200, events: 1202, payloads: 2, oldest: 1201 });
  expect([await prunePayloads(database, between), await hasPrunable(database, between)]).toEqual([0, false]);
  expect(await hasPrunable(database, new Date(clock.now().getTime() + 1))).toBe(true);
});

it.each(databaseKinds)("in batches limited by size, also for a payload larger than a batch, on %s", async (kind) => {
  await using fresh = await openFresh(kind);
  const { database } = fresh;
  const clock = new ManualClock();
  await callerOf(database, clock).change((change) => change.record(...Array.from({ length: 13 }, () => someEvent)));
  while ((await stampPositions(database)) > 0);
  const mebibyte = "x".repeat(1 << 20);
  await database.transaction(async ({ rows }) => {
    await rows("update event_marks set position = 5000");
    await rows("update events set data = ?", [mebibyte]);
    await rows("update events set data = ? where id = (select event_id from event_positions where position = 1)", [
      mebibyte.repeat(9),
    ]);
  });
  clock.advance({ days: 1 });
  const forgotten = [];
  for (let count; (count = await prunePayloads(database, clock.now())) > 0;) forgotten.push(count);
  expect(forgotten).toEqual([1, 8, 4]);
});
