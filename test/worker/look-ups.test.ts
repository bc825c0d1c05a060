/** On PostgreSQL, an event on its way to a webhook and into the text index reads its own rows, however many there are: no plan scans a table of some thousand. */
import { expect, test } from "vitest";
import { toLoopback, startReceiver } from "../support/receiver.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const contacts = 2000;
const tables = ["contacts", "deliveries", "delivery_attempts", "event_positions", "events"] as const;

const others = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

/** Rows read so far by table. A session reports what it has read when it ends. */
async function rowsRead({ service: { database } }: World): Promise<Map<string, number>> {
  return database.transaction(async ({ rows }) => {
    await rows(`select pg_terminate_backend(pid, 10000) ${others}`);
    const read = await rows<{ relname: string; count: number }>(
      "select relname, cast(seq_tup_read + idx_tup_fetch as integer) as count from pg_stat_user_tables",
    );
    return new Map(read.map(({ relname, count }) => [relname, count]));
  });
}

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

    const before = await rowsRead(world);
    const events = 8;
    for (let n = 0; n < events; n++) {
      await world.send("owner", "POST", "/contacts", { location_id: north, ...contact(contacts + n) });
      world.clock.advance({ seconds: 1 });
      await service.worker.runOnce();
    }
    const after = await rowsRead(world);

    expect(receiver.arrivals).toHaveLength(contacts + events);
    const ofEach = tables.map(
      (table) => [table, Math.ceil((after.get(table)! - before.get(table)!) / events)] as const,
    );
    expect(ofEach.filter(([, rows]) => rows > 50)).toEqual([]);
  } finally {
    await world.close();
  }
});
