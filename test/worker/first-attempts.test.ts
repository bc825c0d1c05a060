/** Which deliveries are created with their first attempt, past the queue: those that nothing of their webhook stands before. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { stampPositions } from "../../src/events/positions.ts";
import { sql } from "../../src/storage/sql-text.ts";
import { createFanOut } from "../../src/webhooks/sending/fan-out.ts";
import { createSelectSubscribers, toSubscribers } from "../../src/webhooks/sending/subscribers.ts";
import type { SubscriberRow } from "../../src/webhooks/sending/subscribers.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { givenHook, givenManyHooks } from "../support/given-hooks.ts";
import { givenApp } from "../support/marketplace.ts";
import { toLoopback, startReceiver } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import { createWorld, emptyTables } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("first attempts on %s", (kind) => {
  let world: World;
  let receiver: TestReceiver;
  let status = 200;
  beforeAll(async () => {
    receiver = await startReceiver(() => status);
    world = await createWorld(kind, { environment: toLoopback });
  });
  afterAll(async () => {
    await world?.close();
    await receiver?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    status = 200;
    receiver.arrivals.length = 0;
    await emptyTables(world, ["delivery_attempts", "deliveries", "hook_queues", "hooks"]);
  });

  const register = async (): Promise<number> =>
    (await world.send("owner", "POST", "/hooks", { event: "contact.created", target_url: receiver.url })).body.id;

  let made = 0;
  /** The events of as many new contacts, followed after a second. */
  async function happen(count = 1): Promise<void> {
    for (let n = 0; n < count; n++) await givenContact(world, { first_name: `Ada ${++made}` });
    world.clock.advance({ seconds: 1 });
    await world.service.worker.runOnce();
  }

  /** When the webhook was served by its queue, and what became of its deliveries. */
  async function seen(hook: number) {
    const { rows } = world.service.database;
    const [queue] = await rows<{ served_at: number }>("select served_at from hook_queues where hook_id = ?", [hook]);
    const deliveries = await rows<object>(
      `select state, attempt, fence, number from deliveries left join delivery_attempts
        on delivery_attempts.delivery_id = deliveries.id where hook_id = ? order by deliveries.id`,
      [hook],
    );
    return { servedAt: queue!.served_at, deliveries };
  }

  const delivered = { state: "delivered", attempt: 1, fence: 1, number: 1 };

  it("the first event, and the next one", async () => {
    const hook = await register();
    const before = await seen(hook);
    await happen();
    await happen();
    expect(receiver.arrivals).toHaveLength(2);
    expect(await seen(hook)).toEqual({ ...before, deliveries: [delivered, delivered] });
  });

  it("more than the webhook may have in flight wait in its queue, and what comes behind them too", async () => {
    const hook = await register();
    const before = await seen(hook);
    await happen(3);
    expect(receiver.arrivals.map(({ data }) => data.first_name)).toEqual([2, 1, 0].map((n) => `Ada ${made - n}`));
    const after = await seen(hook);
    expect(after.servedAt).toBeGreaterThan(before.servedAt);
    expect(after.deliveries).toEqual([delivered, delivered, delivered]);
  });

  it("none of a webhook that is failing", async () => {
    const hook = await register();
    status = 500;
    await happen();
    status = 200;
    const before = await seen(hook);
    await happen();
    const after = await seen(hook);
    expect(after.deliveries.at(-1)).toEqual(delivered);
    expect(after.servedAt).toBeGreaterThan(before.servedAt);
  });

  it.each<[what: string, dueIn: number | null, isFree: boolean]>([
    ["nothing queued", null, true],
    ["something due later", 1, true],
    ["something due", 0, false],
  ])("a webhook with %s", async (_what, dueIn, isFree) => {
    const { service, clock } = world;
    const hook = await register();
    const dueAt = dueIn === null ? null : new Date(clock.now().getTime() + dueIn);
    await service.database.transaction(async ({ send }) =>
      send("update hook_queues set due_at = ? where hook_id = ?", [dueAt, hook]),
    );
    const select = createSelectSubscribers({ clock, allowedScopes: () => sql`null` });
    const rows = await service.database.rows<SubscriberRow>(...select(0, 1000));
    expect(toSubscribers(rows)).toMatchObject([{ id: hook, isFree }]);
  });

  it("webhooks are read that may receive one of the next events: not those of other events, nor those of apps in other locations", async () => {
    const { service, clock, north, south } = world;
    await givenHook(world, { event: "contact.deleted" });
    const own = await register();
    const ofAll = (await givenHook(world)).id;
    const { id: app } = await givenApp(world);
    for (const location of [north, south]) await givenManyHooks(world, 2, { location, app });
    await service.database.transaction(async ({ send }) =>
      send("update hooks set events = null where app_id is not null or id = ?", [ofAll]),
    );
    await stampPositions(service.database);
    const [last] = await service.database.rows<{ position: number }>(
      "select max(position) as position from event_positions",
    );
    await givenContact(world, { first_name: "Ada" });
    await stampPositions(service.database);
    const select = createSelectSubscribers({ clock, allowedScopes: () => sql`'["contacts.readonly"]'` });
    const rows = await service.database.rows<SubscriberRow>(...select(last!.position, 1000));
    const read = rows.map(({ hook_id, app_id, location_ids }) => (app_id === null ? hook_id : location_ids));
    expect(read).toEqual([own, ofAll, `[${north}]`, `[${north}]`]);
  });

  it("only in the first transaction after the webhooks were read: what it queues stands before the rest, and a pause may have come", async () => {
    const { service, clock, north } = world;
    await service.worker.runOnce();
    const started: number[] = [];
    const fanOut = createFanOut({
      database: service.database,
      clock,
      allowedScopes: () => sql`null`,
      followers: new Map(),
      sender: {
        keepRoom: (wanted) => wanted.filter(({ take }) => take === 1),
        start: (items) => void started.push(...items.map(({ id }) => id)),
      },
      leaseMilliseconds: 12_000,
      worker: async () => null,
    });
    await fanOut();
    for (let n = 0; n < 6; n++) await givenHook(world);
    // One more than a transaction takes for six webhooks.
    for (let left = 835; left > 0; left -= 100) {
      const contacts = Array.from({ length: Math.min(left, 100) }, (_contact, n) => ({
        email: `ada${left - n}@example.com`,
      }));
      await world.send("owner", "POST", "/contacts/bulk", { location_id: north, contacts });
    }
    await stampPositions(service.database);
    await fanOut();
    const counts = await service.database.rows("select state, count(*) as count from deliveries group by state");
    expect([counts, started]).toEqual([[{ state: "pending", count: 5010 }], []]);
  });

  it("none of a paused webhook, until it goes on", async () => {
    const hook = await register();
    await world.send("owner", "PATCH", `/hooks/${hook}`, { status: "paused" });
    await happen();
    expect(receiver.arrivals).toEqual([]);
    expect((await seen(hook)).deliveries).toEqual([{ state: "pending", attempt: 0, fence: 0, number: null }]);
    await world.send("owner", "PATCH", `/hooks/${hook}`, { status: "active" });
    await happen();
    expect(receiver.arrivals).toHaveLength(2);
  });
});
