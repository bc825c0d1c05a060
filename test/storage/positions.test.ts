/**
 * Every event gets one position, on PostgreSQL with its commit or after it, and on SQLite with its row: without gaps or duplicates, and never below a
 * position already read.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createCallAs } from "../../src/events/call-as.ts";
import { findStartPosition, hasUnstamped, stampedAtOnce, stampPositions } from "../../src/events/positions.ts";
import { insertAppEvent, insertEvents } from "../../src/events/record.ts";
import type { Caller } from "../../src/events/caller.ts";
import type { Database } from "../../src/storage/database.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { besideStamping, someEvent, stampAll } from "../support/events.ts";
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

describe("on PostgreSQL", () => {
  /** A change that has recorded an event, and commits when it is released. */
  async function openSlow(caller: Caller) {
    const written = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const committed = caller.change(async (change) => {
      const ids = await change.record(someEvent);
      written.resolve();
      await released.promise;
      return ids;
    });
    await written.promise;
    return { committed, release: released.resolve };
  }

  it("are in commit order, not in insert order", async () => {
    await using fresh = await openFresh("postgres");
    const { database } = fresh;
    const caller = scopeOver(database);
    const slow = await openSlow(caller);
    // Beside another change: the worker gives the position.
    const [quickId] = await caller.change((change) => change.record(someEvent));
    expect(await database.rows(readLog, [0])).toEqual([]);
    expect(await stampPositions(database)).toBe(1);
    slow.release();
    const [slowId] = await slow.committed;
    expect(await stampPositions(database)).toBe(0);
    expect(slowId).toBeLessThan(quickId!);
    expect(await database.rows(readLog, [0])).toEqual([
      { id: quickId, position: 1 },
      { id: slowId, position: 2 },
    ]);
  });

  it("are there at the commit of a change beside which there is no other, behind those of a few earlier events", async () => {
    await using fresh = await openFresh("postgres");
    const { database } = fresh;
    const caller = scopeOver(database);
    const slow = await openSlow(caller);
    const [quickId] = await caller.change((change) => change.record(someEvent));
    slow.release();
    const [slowId] = await slow.committed;
    const fail = new Error("refused");
    await expect(
      caller.change(async (change) => {
        await change.record(someEvent);
        throw fail;
      }),
    ).rejects.toBe(fail);
    const raised = await caller.change(async (change) => {
      change.raise(someEvent, someEvent);
      return change.record(someEvent);
    });
    // Both waited for the change that was alone at its commit.
    const ids = [slowId!, quickId!, raised[0]! - 2, raised[0]! - 1, raised[0]!];
    expect(await database.rows(readLog, [0])).toEqual(ids.map((id, place) => ({ id, position: place + 1 })));
    expect(await database.rows("select last_position from event_log")).toEqual([{ last_position: 5 }]);
  });

  it("are left to the worker while another transaction assigns some, and behind many earlier events", async () => {
    await using fresh = await openFresh("postgres");
    const { database } = fresh;
    const caller = scopeOver(database);
    const [waiting] = await besideStamping(database, () => caller.change((change) => change.record(someEvent)));
    expect(await database.rows(readLog, [0])).toEqual([]);
    const many = await caller.change((change) => change.record(...Array.from({ length: 40 }, () => someEvent)));
    expect((await database.rows(readLog, [0])).length).toBe(16);
    await stampAll(database);
    expect(await database.rows(readLog, [0])).toEqual(
      [waiting, ...many].map((id, place) => ({ id, position: place + 1 })),
    );
  });
});

describe("on SQLite", () => {
  const now = new Date(0);
  const logOf = ({ rows }: Pick<Database, "rows">) => rows<Stamped>(readLog, [0]);
  const listedOf = ({ rows }: Pick<Database, "rows">) => rows("select event_id as id from unstamped_events order by 1");
  const lastOf = ({ rows }: Pick<Database, "rows">) => rows("select last_position as last from event_log");
  const first = (count: number): number[] => Array.from({ length: count }, (_, place) => place + 1);

  /** As an older version leaves events: none has a position yet. */
  const takeBack = (database: Database) =>
    database.transaction(async ({ rows }) => {
      await rows(`insert into unstamped_events (event_id, workspace_id, location_id)
        select event_id, workspace_id, location_id from event_positions`);
      await rows("delete from event_positions");
      await rows("update event_log set last_position = 0");
    });

  it("are there at the commit, in the order of the changes, without those that are rolled back", async () => {
    await using fresh = await openFresh("sqlite");
    const databases = [fresh.database, await fresh.openAgain()];
    const fail = new Error("refused");
    // Queued at once, so that they share commits, in which each has a savepoint.
    const changes = databases.flatMap((database) =>
      Array.from({ length: 40 }, (_, place) =>
        scopeOver(database).change(async (change) => {
          const ids = await change.record(someEvent, someEvent);
          change.raise(someEvent);
          const own = await change.rows(`${readLog} desc limit 3`, [0]);
          const [{ last }] = (await lastOf(change)) as [{ last: number }];
          expect(own).toEqual([
            { id: ids[1]! + 1, position: last },
            { id: ids[1], position: last - 1 },
            { id: ids[0], position: last - 2 },
          ]);
          if (place % 3 === 1) throw fail;
        }),
      ),
    );
    const outcomes = await Promise.allSettled(changes);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(reasons).toEqual(Array.from({ length: 26 }, () => fail));
    const log = await logOf(fresh.database);
    expect(log.map(({ position }) => position)).toEqual(first(162));
    expect(log.map(({ id }) => id)).toEqual(log.map(({ id }) => id).toSorted((one, other) => one - other));
    expect([await listedOf(fresh.database), await lastOf(fresh.database)]).toEqual([[], [{ last: 162 }]]);
  });

  it("of a dry run are given again", async () => {
    await using fresh = await openFresh("sqlite");
    const caller = scopeOver(fresh.database);
    await caller.dryRun(new ManualClock(), (open) => open().record(someEvent, someEvent));
    const [id] = await caller.change((change) => change.record(someEvent));
    expect(await logOf(fresh.database)).toEqual([{ id, position: 1 }]);
    expect(await lastOf(fresh.database)).toEqual([{ last: 1 }]);
  });

  it.each(["record", "raise"] as const)(
    "follow the rows of a thousand events, beside rows of other tables, by %s",
    async (by) => {
      await using fresh = await openFresh("sqlite");
      await scopeOver(fresh.database).change(async (change) => {
        const other = () => change.rows("insert into workspaces (name, created_at) values ('Other', ?)", [now]);
        for (const count of [1, 1234, 2]) {
          await other();
          await insertAppEvent(change, { workspaceId: 1, event: "app.installed", data: {}, now });
          await change[by](...Array.from({ length: count }, () => someEvent));
        }
        await other();
      });
      const log = await logOf(fresh.database);
      expect(log.map(({ position }) => position)).toEqual(first(1237));
      expect(log).toEqual(
        await fresh.database.rows(`select id, row_number() over (order by id) as position
        from events where event not like 'app.%' order by id`),
      );
    },
  );

  it("come behind those of older events that have none yet", async () => {
    await using fresh = await openFresh("sqlite");
    const { database } = fresh;
    const caller = scopeOver(database);
    const older = await caller.change((change) =>
      change.record(...Array.from({ length: stampedAtOnce + 3 }, () => someEvent)),
    );
    await takeBack(database);
    const newer = await caller.change((change) => change.record(someEvent, someEvent));
    expect((await listedOf(database)).length).toBe(older.length + 2);
    const start = await database.transaction(findStartPosition);
    const [newest] = await caller.change((change) => change.record(someEvent));
    expect([await lastOf(database), start]).toEqual([[{ last: stampedAtOnce }], older.length + 2]);
    await stampAll(database);
    const [next] = await caller.change((change) => change.record(someEvent));
    expect(await listedOf(database)).toEqual([]);
    expect(await logOf(database)).toEqual(
      [...older, ...newer, newest!, next!].map((id, place) => ({ id, position: place + 1 })),
    );
  });

  it("wait until a missing row of the log is restored, and none is lost", async () => {
    await using fresh = await openFresh("sqlite");
    const { database } = fresh;
    const caller = scopeOver(database);
    await caller.change((change) => change.record(someEvent));
    await database.transaction(({ rows }) => rows("delete from event_log"));
    await caller.change((change) => change.record(someEvent, someEvent));
    expect((await logOf(database)).length).toBe(1);
    await expect(stampPositions(database)).rejects.toThrow("the event_log row is missing");
    await database.transaction(({ rows }) => rows("insert into event_log (id, last_position) values (1, 1)"));
    await caller.change((change) => change.record(someEvent));
    await stampAll(database);
    expect(await logOf(database)).toEqual(first(4).map((number) => ({ id: number, position: number })));
  });

  it("are not given behind an insert that failed, whose error is the one thrown", async () => {
    await using fresh = await openFresh("sqlite");
    const { database } = fresh;
    const caller = scopeOver(database);
    await caller.change((change) => change.record(someEvent, someEvent));
    const failing = caller.change((change) =>
      insertEvents({ ...change, now, workspaceId: null as unknown as number }, [someEvent]),
    );
    await expect(failing).rejects.toThrow("NOT NULL constraint failed: events.workspace_id");
    expect((await logOf(database)).length).toBe(2);
  });
});
