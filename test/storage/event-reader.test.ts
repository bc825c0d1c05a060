/** An event reader processes the events it wants in batches, each exactly once, despite failures. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createCallAs } from "../../src/events/call-as.ts";
import { createEventReader } from "../../src/events/following/event-reader.ts";
import type { EventHead } from "../../src/events/following/positioned-events.ts";
import { stampPositions } from "../../src/events/positions.ts";
import type { Database } from "../../src/storage/database.ts";
import { operatorOf } from "../../src/operation/callers.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { someEvent, stampAll } from "../support/events.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { toolsOf } from "../support/tools.ts";

const clock = new ManualClock();

/** Sets the mark to the end of the log and writes `count` further events; resolves to their ids. */
async function givenEvents(database: Database, count: number): Promise<number[]> {
  await database.transaction(({ rows }) =>
    rows("insert into event_marks (name, position) select 'test', last_position from event_log where id = 1"),
  );
  const ids = await write(database, count);
  await stampAll(database);
  return ids;
}

function write(database: Database, count: number): Promise<number[]> {
  const callAs = createCallAs({ database, tools: toolsOf(clock), committed: () => {} });
  return callAs(operatorOf(1)).change((change) => change.record(...Array.from({ length: count }, () => someEvent)));
}

/** Selects every event. */
const everything = {
  name: "test",
  clock,
  choose: async (heads: readonly EventHead[]) => heads,
  positionOf: ({ position }: EventHead) => position,
};

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
    const look = createEventReader<EventHead>(fresh.database, {
      name: "test",
      clock,
      choose: async (heads) => heads.flatMap((head) => Array.from({ length: times(head.position) }, () => head)),
      positionOf: ({ position }) => position,
      batchSize: 4,
      take: (wanted) => void taken.push(wanted.map(({ position }) => position)),
    });
    expect([await look(), await look()]).toEqual([parts.length > 0 ? "worked" : "done", "done"]);
    expect(taken).toEqual(parts);
  });

  it("continues after the last processed batch if one fails", async () => {
    await using fresh = await openFresh(kind);
    await givenEvents(fresh.database, 9);
    const taken: number[] = [];
    let mayFail = true;
    const look = createEventReader<EventHead>(fresh.database, {
      ...everything,
      batchSize: 4,
      take(wanted) {
        if (mayFail && wanted.some(({ position }) => position === 6)) throw new Error("half way");
        taken.push(...wanted.map(({ position }) => position));
      },
    });
    await expect(look()).rejects.toThrow("half way");
    expect(taken).toEqual([1, 2, 3, 4]);
    mayFail = false;
    expect([await look(), await look()]).toEqual(["worked", "done"]);
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("starts after its mark", async () => {
    await using fresh = await openFresh(kind);
    await write(fresh.database, 2);
    await stampAll(fresh.database);
    const ids = await givenEvents(fresh.database, 3);
    const seen: number[] = [];
    const look = createEventReader<EventHead>(fresh.database, {
      ...everything,
      batchSize: 4,
      take: (wanted) => void seen.push(...wanted.map(({ id }) => id)),
    });
    expect([await look(), await look()]).toEqual(["worked", "done"]);
    expect(seen).toEqual(ids);
  });

  it("rolls back the writes of a failed batch together with the mark", async () => {
    await using fresh = await openFresh(kind);
    await givenEvents(fresh.database, 1);
    const look = createEventReader<EventHead>(fresh.database, {
      ...everything,
      batchSize: 4,
      async take(_wanted, { rows }) {
        await rows("insert into event_marks (name, position) values ('half', 0)");
        throw new Error("half way");
      },
    });
    await expect(look()).rejects.toThrow("half way");
    expect(await fresh.database.rows("select name, position from event_marks where name in ('test', 'half')")).toEqual([
      { name: "test", position: 0 },
    ]);
  });

  it("lets several workers share a name, with each event processed once", async () => {
    await using fresh = await openFresh(kind);
    await givenEvents(fresh.database, 0);
    const databases = [fresh.database, await fresh.openAgain(), await fresh.openAgain()];
    const seen: number[] = [];
    let writing = true;
    const writer = (async () => {
      for (let round = 0; round < 30; round++) {
        await write(fresh.database, 2);
        await stampPositions(fresh.database);
      }
      writing = false;
    })();
    const followers = databases.map(async (database) => {
      let taken: number[] = [];
      const look = createEventReader<EventHead>(database, {
        ...everything,
        atOnce: 3,
        batchSize: 3,
        // Counted after the commit: a transaction that waited for the mark may be retried.
        take: (wanted) => void (taken = wanted.map(({ position }) => position)),
      });
      for (let isOver = false; !isOver;) {
        isOver = !writing;
        taken = [];
        isOver = (await look()) === "done" && isOver;
        seen.push(...taken);
        // On SQLite, which responds synchronously, a loop of scans would starve the writer.
        await nextTurn();
      }
    });
    await Promise.all([writer, ...followers]);
    expect(seen.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, place) => place + 1));
  });

  it("serves locations in round robin, each event once and in order per location, also after a restart and beside another worker", async () => {
    await using fresh = await openFresh(kind);
    await givenEvents(fresh.database, 0);
    const callAs = createCallAs({ database: fresh.database, tools: toolsOf(clock), committed: () => {} });
    const busy = Array.from({ length: 200 }, () => ({ ...someEvent, locationId: 1 }));
    const small = [2, 3, 2].map((locationId) => ({ ...someEvent, locationId }));
    await callAs(operatorOf(1)).change((change) => change.record(...busy, ...small, ...busy));
    await stampAll(fresh.database);
    const taken: EventHead[] = [];
    const follow = (database: Database) =>
      createEventReader<EventHead>(database, {
        ...everything,
        locationOf: ({ location_id }) => location_id!,
        atOnce: 20,
        batchSize: 5,
        take: (wanted) => void taken.push(...wanted),
      });
    const [first, other] = [follow(fresh.database), follow(await fresh.openAgain())];
    await first();
    expect(taken.map(({ location_id }) => location_id)).toEqual([...Array.from({ length: 20 }, () => 1), 2, 2, 3]);
    const restarted = follow(fresh.database);
    for (let isOver = false; !isOver;)
      isOver = [await other(), await restarted()].every((outcome) => outcome === "done");
    const { length: all } = taken;
    expect(all).toBe(403);
    expect(new Set(taken.map(({ position }) => position)).size).toBe(all);
    for (const ofLocation of Map.groupBy(taken, ({ location_id }) => location_id).values()) {
      expect(ofLocation).toEqual(ofLocation.toSorted((one, another) => one.position - another.position));
    }
    expect(await fresh.database.rows("select name, position from event_marks where name like 'test%'")).toEqual([
      { name: "test", position: 403 },
    ]);
  });

  it("refuses a name without a mark", async () => {
    await using fresh = await openFresh(kind);
    const look = createEventReader<EventHead>(fresh.database, {
      ...everything,
      name: "nobody",
      batchSize: 1,
      take() {},
    });
    await expect(look()).rejects.toThrow("has no follower named");
  });
});
