/** An upsert by an address that one contact loses concurrently still finds the other contact that has it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteContact, updateContact, upsertContact } from "../../src/crm/contacts/contact.service.ts";
import type { ContactInput } from "../../src/crm/contacts/contact.schema.ts";
import { writeContacts } from "../../src/crm/contacts/write/contact.write.ts";
import type { Change, LocationContext } from "../../src/events/caller.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { meet } from "../support/meet.ts";
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

  type First = { readonly id: number; readonly email: string; readonly phone: string };
  type Move = (change: Change<LocationContext>, first: First, elsewhere: string) => Promise<unknown>;
  const moves: Readonly<Record<string, Move>> = {
    "is deleted": (change, { id }) => deleteContact(change, id),
    "is given another address": (change, { id }, email) => updateContact(change, id, { email }),
    "is found by its phone and moved": (change, { phone }, email) => upsertContact(change, { email, phone }),
    "is moved by a batch": (change, { phone }, email) =>
      writeContacts(change, [{ email, phone }, { email: `other.${email}` }], "upsert"),
  };

  type Look = (change: Change<LocationContext>, input: ContactInput) => Promise<{ id: number; created: boolean }>;
  const looks: Readonly<Record<string, Look>> = {
    async "an upsert"(change, input) {
      const { contact, created } = (await upsertContact(change, input)).upserted;
      return { id: contact.id, created };
    },
    async "a batch"(change, input) {
      const [written] = await writeContacts(change, [input, { email: `beside.${input.email}` }], "upsert");
      if (written === undefined || written.outcome === "refused") throw new Error("the batch was refused");
      return { id: written.contact.id!, created: written.outcome === "created" };
    },
  };

  const rows = Object.keys(looks).flatMap((look) =>
    ["its address", "its address and its phone"].flatMap((by) => Object.keys(moves).map((move) => [look, by, move])),
  );
  test.each(rows)("%s by %s waits while the first contact %s, and finds the second", async (look, by, move) => {
    const north = await world.service.inLocation(world.acme, world.north);
    const { id, email, phone_display: phone } = await givenContact(world);
    const second = await givenContact(world, { phone: null, email });
    const met = await meet(world.service.database, north, {
      first: (change) => moves[move!]!(change, { id, email, phone }, `elsewhere.${email}`),
      second: (change) =>
        looks[look!]!(change, by === "its address" ? { email, city: "Rome" } : { email, phone, city: "Rome" }),
    });
    expect(met).toEqual({ status: "fulfilled", value: { id: second.id, created: false } });
  });
});
