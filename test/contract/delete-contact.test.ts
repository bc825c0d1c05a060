/** DELETE /contacts/{id} */
import { expect, test } from "vitest";
import { deleteContact } from "../../src/crm/erasure/contact-removal.operations.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import type { Role } from "../../src/vocabulary/states.ts";
import { sampleOf } from "../support/chance.ts";
import { contract, row } from "../support/contract.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { callerOf, givenPerson } from "../support/given-people.ts";
import { createWorld } from "../support/world.ts";

contract("deleteContact", [
  row({
    name: "responds 204 without a body, and the contact no longer appears anywhere",
    given: givenContact,
    send: (world, given) => ["DELETE", `/contacts/${given.id}`, { location_id: world.north }],
    expect: { status: 204, exactly: "", events: ["contact.deleted"] },
    async afterwards(world, given) {
      const list = await world.send("owner", "GET", `/contacts?location_id=${world.north}&email=${given.email}`);
      expect(list.body).toEqual({ data: [], next_cursor: null, total: 0 });
      const again = await world.send("owner", "DELETE", `/contacts/${given.id}`, { location_id: world.north });
      expect(again.status).toBe(404);
    },
  }),
  row({
    name: "an upsert of the same person creates a new contact",
    async given(world) {
      const contact = await givenContact(world);
      await world.send("owner", "DELETE", `/contacts/${contact.id}`, { location_id: world.north });
      return contact;
    },
    send: (world, given) => ["POST", "/contacts/upsert", { location_id: world.north, email: given.email }],
    expect: { status: 201, body: { created: true }, events: ["contact.created"] },
  }),
  row({
    name: "the location may be in the query",
    given: givenContact,
    send: (world, given) => ["DELETE", `/contacts/${given.id}?location_id=${world.north}`],
    expect: { status: 204, events: ["contact.deleted"] },
  }),
  row({
    name: "forget is true or false",
    given: givenContact,
    send: (world, given) => ["DELETE", `/contacts/${given.id}?forget=yes`, { location_id: world.north }],
    expect: { status: 422, body: { errors: { forget: ["The forget field must be true or false."] } } },
  }),
  row({
    name: "forget=false only deletes",
    given: givenContact,
    send: (world, given) => ["DELETE", `/contacts/${given.id}?forget=false`, { location_id: world.north }],
    expect: { status: 204, events: ["contact.deleted"] },
  }),
  row({
    name: "forget=true responds with a receipt, and the external_ref is free again",
    given: givenContact,
    send: (world, given) => ["DELETE", `/contacts/${given.id}?forget=true`, { location_id: world.north }],
    expect: {
      status: 200,
      body: (_world, given) => ({
        contact_id: given.id,
        contact_ids: [given.id],
        status: "done",
        removed: { contacts: 1, events: 2 },
      }),
      events: ["contact.deleted"],
    },
    async afterwards(world, { id, external_ref }) {
      await givenContact(world, { external_ref });
      const { body } = await world.send("owner", "GET", "/audit?operation=forgetContact");
      expect(body.data[0]).toMatchObject({ subject: { type: "contact", id }, details: { contact_ids: [id] } });
    },
  }),
  row({
    name: "forget=true finds no contact of another location",
    given: givenContact,
    send: (world, given) => ["DELETE", `/contacts/${given.id}?forget=true`, { location_id: world.south }],
    expect: { status: 404, exactly: { error: "contact.not_found" } },
  }),
  row({
    name: "forget=true finds no contact of another workspace, and none that never was",
    as: "stranger",
    given: givenContact,
    send: (world, given) => ["DELETE", `/contacts/${given.id}?forget=true`, { location_id: world.foreign }],
    expect: { status: 404, exactly: { error: "contact.not_found" } },
    async afterwards(world, { id }) {
      const path = `/contacts/999999?forget=true&location_id=${world.north}`;
      expect((await world.send("owner", "DELETE", path)).body).toEqual({ error: "contact.not_found" });
      await made(world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`));
    },
  }),
]);

test("neither members nor apps may forget", async () => {
  const [kind] = sampleOf("who may forget", 1, databaseKinds);
  await using closing = { world: await createWorld(kind!), [Symbol.asyncDispose]: () => closing.world.close() };
  const { world } = closing;
  const { id } = await givenContact(world);
  const asking = { contact: id, query: { forget: true } };
  const callerAs = async (role: Role) =>
    (await callerOf(world, await givenPerson(world, role, null), world.north)) as Caller<LocationContext>;
  const member = await callerAs("member");
  await expect(world.service.carryOut(deleteContact, member, asking)).rejects.toMatchObject({
    code: "insufficient_role",
  });
  const app = { ...member, grant: { scopes: ["contacts.write" as const], appId: 1, role: null } };
  await expect(world.service.carryOut(deleteContact, app, asking)).rejects.toMatchObject({
    code: "insufficient_scope",
  });
  const manager = await callerAs("manager");
  expect(await world.service.carryOut(deleteContact, manager, asking)).toMatchObject({ status: "done" });
});
