/** A change with If-Match computes the tag of the record while it holds locks: a long record is written in pieces then, which wait for no reads. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { copyRows } from "../support/copy-rows.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenConversation, made } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const reads = 16;

describe.each(sampleOf("long records", 1, databaseKinds))("a long record on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("many reads of it do not delay its change", { timeout: 120_000 }, async () => {
    const { conversation } = await givenConversation(world);
    const path = `/conversations/${conversation.id}`;
    const body = `A${"\u0001".repeat(30_000)}Z`;
    const { id } = await made(world.send("owner", "POST", `${path}/messages`, { location_id: world.north, body }));
    await world.service.database.transaction(({ rowsOnce }) =>
      copyRows(rowsOnce, "messages", `id = ${id}`, { external_id: "null" }, 33),
    );
    const read = () => world.send("owner", "GET", `${path}?location_id=${world.north}`);
    const { headers } = await read();

    let answered = 0;
    const reading = Array.from({ length: reads }, async () => {
      await read();
      answered += 1;
    });
    await Promise.race(reading);
    const changed = await world.send(
      "owner",
      "PATCH",
      path,
      { location_id: world.north, status: "closed" },
      { "if-match": headers.get("etag")! },
    );
    expect(changed.status).toBe(200);
    expect(answered).toBeLessThan(reads / 2);
    await Promise.all(reading);
  });
});
