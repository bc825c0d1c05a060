/** Contacts with much text are shown one after the other, and who asks for many waits for their own alone. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { Asker, World } from "../support/world.ts";

/** Enough long notes to stand in line for, and more reads than may stand there. */
const notes = 20;
const reads = 400;

describe.each(databaseKinds)("on %s", (kind) => {
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

  test("a hundred reads of one key stand in line, and those of others do not stand behind them", async () => {
    const answered: [as: Asker, status: number][] = [];
    const read = async (as: Asker): Promise<void> => {
      const { status } = await world.send(as, "GET", path);
      answered.push([as, status]);
    };
    const many = Array.from({ length: reads }, () => read("owner"));
    // By then many of them stand in line.
    await Promise.race(many);
    const begun = answered.length;
    await read("readonly");
    const overtaken = answered.slice(begun).filter(([, status]) => status === 200).length - 1;
    await Promise.all(many);
    expect(overtaken).toBeLessThan(50);
    expect(new Set(answered.map(([, status]) => status))).toEqual(new Set([200, 429]));
  });
});
