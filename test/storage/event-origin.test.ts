/** Events record actor, time, location and cause; a transaction over several locations is atomic. */
import { describe, expect, it } from "vitest";
import { createCallAs, createChangeAcross } from "../../src/events/call-as.ts";
import type { Database } from "../../src/storage/database.ts";
import { operatorOf } from "../../src/operation/callers.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { someEvent } from "../support/events.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { toolsOf } from "../support/tools.ts";

const identity = operatorOf(1);

function ground(database: Database) {
  const given = { database, tools: toolsOf(new ManualClock()) };
  return { callAs: createCallAs(given), across: createChangeAcross(given) };
}

describe.each(databaseKinds)("an event on %s", (kind) => {
  it("can have another actor, time and cause than its change", async () => {
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

  it("a transaction over several locations is one commit, announced once, or has no effect", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const { across } = ground(database);
    const commits: string[][] = [];
    const stop = await database.watchCommits((tables) => tables && commits.push([...tables]));
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
    // Where it gets its position afterwards, it is listed until then.
    const listed = { sqlite: ["event_positions", "event_log"], postgres: ["unstamped_events"] };
    expect(commits).toEqual([["events", ...listed[kind]]]);

    const failing = recordAll(() => {
      throw new Error("the last of them failed");
    });
    await expect(failing).rejects.toThrow("the last of them failed");
    expect(await database.rows("select count(*) as count from events")).toEqual([{ count: 3 }]);
    expect(commits).toHaveLength(1);
    await stop();
  });
});
