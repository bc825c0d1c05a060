/** Contacts with much text are built one at a time, in a fair queue: a client with many requests only waits for its own. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { Asker, World } from "../support/world.ts";

/** Enough long notes to be queued, and more reads than the queue accepts. */
const notes = 20;
const reads = 400;

describe.each(sampleOf("large contacts", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let path: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    const { id } = await givenContact(world);
    path = `/contacts/${id}?location_id=${world.north}`;
    const note = { location_id: world.north, body: "A long note. ".repeat(200) };
    for (let number = 0; number < notes; number++) await world.send("owner", "POST", `/contacts/${id}/notes`, note);
  });
  afterAll(() => world?.close());

  test("a hundred reads of one key are queued, and those of others are not queued behind them", async () => {
    const answered: [as: Asker, status: number][] = [];
    const mostAnswered = Promise.withResolvers<void>();
    const read = async (as: Asker): Promise<void> => {
      const { status } = await world.send(as, "GET", path);
      answered.push([as, status]);
      if (answered.length === reads - 80) mostAnswered.resolve();
    };
    const many = Array.from({ length: reads }, () => read("owner"));
    // Those that are left then have arrived, and are queued.
    await mostAnswered.promise;
    const begun = answered.length;
    await read("readonly");
    const overtaken = answered.slice(begun).filter(([, status]) => status === 200).length - 1;
    await Promise.all(many);
    expect(overtaken).toBeLessThan(50);
    expect(new Set(answered.map(([, status]) => status))).toEqual(new Set([200, 429]));
  });
});
