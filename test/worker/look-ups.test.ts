/** On PostgreSQL, an event on its way to a webhook and into the text index reads its own rows, however many there are: no plan scans a table of some thousand. */
import { expect, test } from "vitest";
import { givenContact } from "../support/given.ts";
import { givenManyHooks } from "../support/given-hooks.ts";
import { toLoopback, startReceiver } from "../support/receiver.ts";
import { rowsReadDuring } from "../support/rows-read.ts";
import { createWorld } from "../support/world.ts";

const contacts = 2000;
const tables = new Set(["contacts", "deliveries", "delivery_attempts", "event_positions", "events"]);

const contact = (n: number) => ({ first_name: "Grace", last_name: "Hopper", email: `grace${n}@example.com` });

test("an event reads its own rows", async () => {
  await using receiver = await startReceiver();
  const world = await createWorld("postgres", { environment: toLoopback, quiet: true });
  try {
    const { service, north } = world;
    await world.send("owner", "POST", "/hooks", { event: "contact.created", target_url: receiver.url });
    for (let made = 0; made < contacts; made += 100) {
      const many = Array.from({ length: 100 }, (_item, place) => contact(made + place));
      await world.send("owner", "POST", "/contacts/bulk", { location_id: north, contacts: many });
    }
    await service.worker.runOnce();
    await service.database.rows("analyze");
    expect(receiver.arrivals).toHaveLength(contacts);

    const events = 8;
    const read = await rowsReadDuring(world, async () => {
      for (let n = 0; n < events; n++) {
        await world.send("owner", "POST", "/contacts", { location_id: north, ...contact(contacts + n) });
        world.clock.advance({ seconds: 1 });
        await service.worker.runOnce();
      }
    });

    expect(receiver.arrivals).toHaveLength(contacts + events);
    expect(read.filter(([table, count]) => tables.has(table) && count > 50 * events)).toEqual([]);
  } finally {
    await world.close();
  }
});

test("an event reads the queue of each of many webhooks a few times", async () => {
  const world = await createWorld("postgres", { quiet: true });
  try {
    const { service, north } = world;
    const hooks = 300;
    await givenManyHooks(world, hooks, { location: north });
    await service.database.transaction(async ({ send }) =>
      send("insert into hook_queues (hook_id, served_at) select id, now() from hooks"),
    );
    await service.worker.runOnce();
    await service.database.rows("analyze");

    const events = 8;
    const read = await rowsReadDuring(world, async () => {
      for (let n = 0; n < events; n++) {
        await givenContact(world, contact(n));
        await service.worker.runOnce();
      }
    });

    expect(new Map(read).get("hook_queues")).toBeLessThan(20 * events * hooks);
  } finally {
    await world.close();
  }
});
