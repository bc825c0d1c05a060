/** An address that one contact gives up while somebody looks for it still finds the other contact that has it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const rounds = 15;

describe.each([...databaseKinds])("an upsert on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test.each([
    ["is deleted", "DELETE", {}],
    ["takes another address", "PATCH", { email: "elsewhere@example.com" }],
  ])("finds the second contact while the first one %s", async (_what, method, body) => {
    for (let round = 0; round < rounds; round++) {
      const first = await givenContact(world, { phone: null });
      const second = await givenContact(world, { phone: null, email: first.email });
      const upsert = { location_id: world.north, email: first.email, city: `City ${round}` };
      const [gone, ...upserted] = await Promise.all([
        world.send("owner", method, `/contacts/${first.id}`, { location_id: world.north, ...body }),
        ...Array.from({ length: 4 }, () => world.send("owner", "POST", "/contacts/upsert", upsert)),
      ]);
      expect(gone.status).toBeLessThan(300);
      expect(upserted.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      for (const { body: answer } of upserted) expect([first.id, second.id]).toContain(answer.contact.id);
    }
  });
});
