/** DELETE /contacts/{id} */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";

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
]);
