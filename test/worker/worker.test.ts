/** The worker does what is due: by a wake-up, by its scan, once, and beside others. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { besideStamping } from "../support/events.ts";
import { givenContact, givenConversation } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** A scan that does not come while a test runs: what happens then was woken. */
const never = "0 0 1 1 *";

async function positionsOf(world: World): Promise<(number | null)[]> {
  const rows = await world.service.database.rows<{ position: number | null }>(
    "select position from events left join event_positions on event_id = id order by id",
  );
  return rows.map(({ position }) => position);
}

async function until(done: () => Promise<boolean>, patience = 3000): Promise<void> {
  const started = performance.now();
  while (!(await done())) {
    if (performance.now() - started > patience) throw new Error(`not done within ${patience} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe.each([...databaseKinds])("the worker on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: { CRM_WORKER_CRON: never } });
  });
  afterAll(() => world?.close());

  test("gives every event a position, without gap or repeat", async () => {
    const make = async () => {
      for (let made = 0; made < 5; made++) await givenContact(world);
    };
    await make();
    expect(await positionsOf(world)).not.toContain(null);
    // On SQLite the worker never has any to give.
    if (kind === "postgres") {
      await besideStamping(world.service.database, make);
      expect(await positionsOf(world)).toContain(null);
    }
    await world.service.worker.runOnce();
    const positions = await positionsOf(world);
    expect(positions).toEqual(positions.map((_, place) => place + 1));
  });

  test("folds the counters without changing their sum", async () => {
    const { database } = world.service;
    // Below a hundred deltas a sum costs less than folding them.
    for (let made = 0; made < 110; made++) await givenContact(world);
    const total = async () => (await world.send("owner", "GET", `/contacts?location_id=${world.north}`)).body.total;
    const before = await total();
    world.clock.advance({ minutes: 1 });
    await world.service.worker.runOnce();
    const rows = await database.rows("select id from contact_counts where location_id = ?", [world.north]);
    expect([rows.length, await total()]).toEqual([1, before]);
  });

  test("opens a conversation again when its snooze has ended, and not before", async () => {
    const { conversation } = await givenConversation(world);
    const path = `/conversations/${conversation.id}`;
    const end = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
    await world.send("owner", "PATCH", path, { location_id: world.north, status: "snoozed", snoozed_until: end });
    const status = async () =>
      (await world.send("owner", "GET", `${path}?location_id=${world.north}`)).body.conversation.status;
    await world.service.worker.runOnce();
    expect(await status()).toBe("snoozed");
    world.clock.advance({ minutes: 60 });
    await world.service.worker.runOnce();
    expect(await status()).toBe("open");
  });

  test("forgets answers after a day and payloads after thirty, and keeps the events", async () => {
    const { database } = world.service;
    const contact = await givenContact(world);
    await world.send(
      "owner",
      "POST",
      `/contacts/${contact.id}/notes`,
      { location_id: world.north, body: "x" },
      { "idempotency-key": "k" },
    );
    const keys = () => database.rows("select id from idempotency_keys");
    const payloads = () => database.rows("select id from events where data is not null");
    expect([(await keys()).length, (await payloads()).length > 0]).toEqual([1, true]);
    world.clock.advance({ days: 1, seconds: 1 });
    await world.service.worker.runOnce();
    expect([(await keys()).length, (await payloads()).length > 0]).toEqual([0, true]);
    world.clock.advance({ days: 30 });
    await world.service.worker.runOnce();
    // By then every reader of the event log has caught up.
    world.clock.advance({ minutes: 10 });
    await world.service.worker.runOnce();
    expect(await payloads()).toEqual([]);
    const { body } = await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`);
    expect(body.activities.map((activity: { kind: string }) => activity.kind)).toEqual([
      "note.added",
      "contact.created",
    ]);
  });

  test("is woken by a commit, and needs no scan for it", async () => {
    await world.service.worker.start();
    try {
      await until(async () => !(await positionsOf(world)).includes(null));
      await givenContact(world);
      await until(async () => !(await positionsOf(world)).includes(null));
    } finally {
      await world.service.worker.stop();
    }
  });

  test("is woken by a commit of another process", async () => {
    const { openService } = await import("../../src/service.ts");
    const other = await openService(world.service.settings, { log: world.service.log, clock: world.clock });
    await other.worker.start();
    try {
      await until(async () => !(await positionsOf(world)).includes(null));
      await givenContact(world);
      await until(async () => !(await positionsOf(world)).includes(null));
    } finally {
      await other.worker.stop();
      await other.close();
    }
  });
});
