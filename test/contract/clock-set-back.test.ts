/** updated_at of every noun, when the system clock is set back between two changes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkflow, updateWorkflow } from "../../src/crm/workflows/workflow.service.ts";
import { publishWorkflow, unpublishWorkflow } from "../../src/crm/workflows/workflow.operations.ts";
import { updateLocation } from "../../src/tenancy/locations/location.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenOpportunity, made, unique } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

interface Noun {
  readonly table: string;
  readonly make: (world: World) => Promise<{ id: number }>;
  readonly change: (world: World, id: number) => Promise<unknown>;
}

const definition = { entry: "end", nodes: { end: { type: "exit" } } };

async function givenWorkflow(world: World) {
  const caller = await world.service.inLocation(world.acme, world.north);
  return caller.change((change) => createWorkflow(change, { name: "Welcome", definition, allow_reentry: false }));
}

const nouns: Readonly<Record<string, Noun>> = {
  "a contact, by PATCH": {
    table: "contacts",
    make: (world) => givenContact(world),
    change: (world, id) =>
      made(world.send("owner", "PATCH", `/contacts/${id}`, { location_id: world.north, city: `City ${unique()}` })),
  },
  "contacts, by a bulk": {
    table: "contacts",
    make: (world) => givenContact(world),
    async change(world, id) {
      const other = await givenContact(world);
      const { email } = await made(world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`));
      const contacts = [email, other.email].map((each) => ({ email: each, city: `City ${unique()}` }));
      await made(world.send("owner", "POST", "/contacts/bulk", { location_id: world.north, contacts }));
    },
  },
  "an opportunity": {
    table: "opportunities",
    make: (world) => givenOpportunity(world),
    change: (world, id) =>
      made(world.send("owner", "PATCH", `/opportunities/${id}`, { location_id: world.north, name: `${unique()}` })),
  },
  "a note": {
    table: "notes",
    async make(world) {
      const { id } = await givenContact(world);
      return made(world.send("owner", "POST", `/contacts/${id}/notes`, { location_id: world.north, body: "First" }));
    },
    async change(world, id) {
      const [note] = await world.service.database.rows<{ contact_id: number }>(
        "select contact_id from notes where id = ?",
        [id],
      );
      const path = `/contacts/${note!.contact_id}/notes/${id}`;
      await made(world.send("owner", "PATCH", path, { location_id: world.north, body: `Note ${unique()}` }));
    },
  },
  "a location": {
    table: "locations",
    make: async ({ south }) => ({ id: south }),
    change: ({ service, acme }, id) =>
      service.inWorkspace(acme).change((change) => updateLocation(change, id, { name: `South ${unique()}` })),
  },
  "a workflow": {
    table: "workflows",
    make: givenWorkflow,
    async change({ service, acme, north }, id) {
      const caller = await service.inLocation(acme, north);
      await caller.change((change) => updateWorkflow(change, id, { name: `Welcome ${unique()}` }));
    },
  },
  "a workflow that is published and taken back": {
    table: "workflows",
    make: givenWorkflow,
    async change({ service, acme, north }, id) {
      const caller = await service.inLocation(acme, north);
      await service.carryOut(publishWorkflow, caller, { workflow: id });
      await service.carryOut(unpublishWorkflow, caller, { workflow: id });
    },
  },
};

describe.each([...databaseKinds])("updated_at on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const moved = async (table: string, id: number) => {
    const [row] = await world.service.database.rows<{ updated_at: number }>(
      `select updated_at from ${table} where id = ?`,
      [id],
    );
    return row!.updated_at;
  };

  test.each(Object.entries(nouns))("of %s never decreases, and follows the clock again later", async (_name, noun) => {
    const { id } = await noun.make(world);
    await noun.change(world, id);
    const before = await moved(noun.table, id);
    world.clock.advance({ hours: -1 });
    await noun.change(world, id);
    expect(await moved(noun.table, id)).toBe(before);
    world.clock.advance({ hours: 2 });
    await noun.change(world, id);
    expect(await moved(noun.table, id)).toBe(world.clock.now().getTime());
  });
});
