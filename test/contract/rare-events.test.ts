/** Reads of the event log that scan many events for few matches: in slices, between which other requests are served. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEventLog } from "../../src/crm/event-log/event.queries.ts";
import type { Caller } from "../../src/events/caller.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { databaseKinds } from "../support/databases.ts";
import { someOtherEvent, stampAll } from "../support/events.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** The maximum number of events per slice. */
const mostOfPiece = 1000;

describe.each([...databaseKinds])("rare events on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
    const north = await world.service.inLocation(world.acme, world.north);
    await north.change((change) => change.record(...Array.from({ length: limits.eventScan }, () => someOtherEvent)));
    await stampAll(world.service.database);
  });
  afterAll(() => world?.close());

  /** Reads with a new key; `read` is called with the number of events that each statement scanned. */
  async function readAs(actorId: number, read: (scanned: number) => void) {
    const caller = await world.service.inLocation(world.acme, world.north);
    const watched: Caller = {
      ...caller,
      actor: { type: "api_key", id: actorId, name: `Key ${actorId}` },
      async rowsOnce<Row>(...asked: Parameters<Caller["rowsOnce"]>) {
        const rows = await caller.rowsOnce<Row>(...asked);
        read((rows[0] as { scanned: number }).scanned);
        return rows;
      },
    };
    return readEventLog(watched, { after: 0, limit: 100, event: ["task.completed"] });
  }

  test("are searched for in slices, up to the limit of one response", async () => {
    const pieces: number[] = [];
    expect(await readAs(1, (scanned) => pieces.push(scanned))).toMatchObject({ events: [], has_more: true });
    expect(Math.max(...pieces)).toBeLessThanOrEqual(mostOfPiece);
    expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(limits.eventScan);
  });

  test("a small read beside 24 of these waits for a few slices, not for all", async () => {
    let pieces = 0;
    const reads = Array.from({ length: 24 }, (_, n) => readAs(n, () => (pieces += 1)));
    const before = await Promise.all([
      world.send("owner", "GET", `/tags?location_id=${world.north}`).then(() => pieces),
      Promise.race(reads).then(() => pieces),
    ]);
    await Promise.all(reads);
    // The first slice of each is read immediately; later ones start one per event loop turn.
    expect(pieces).toBe(24 * 6);
    expect(Math.min(...before)).toBeLessThan(24 * 3);
    expect(before[0]).toBeLessThan(24 * 3);
  });
});
