/** DELETE /opportunities/{id} */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenOpportunity } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** Two opportunities of a contact, which shows the value of the newer one. */
async function givenTwo(world: World) {
  const contact = await givenContact(world);
  const older = await givenOpportunity(world, { contact_id: contact.id, value_cents: 100 });
  const newer = await givenOpportunity(world, { contact_id: contact.id, value_cents: 200 });
  return { contact, older, newer };
}

contract("deleteOpportunity", [
  row({
    name: "deletes it, and the contact shows the other one",
    given: givenTwo,
    send: (world, { newer }) => ["DELETE", `/opportunities/${newer.id}`, { location_id: world.north }],
    expect: { status: 204 },
    async afterwards(world, { contact, older, newer }) {
      const query = `location_id=${world.north}`;
      const { body: missing } = await world.send("owner", "GET", `/opportunities/${newer.id}?${query}`);
      expect(missing).toEqual({ error: "opportunity.not_found" });
      const { body } = await world.send("owner", "GET", `/contacts/${contact.id}?${query}`);
      expect(body.value_cents).toBe(100);
      expect(body.opportunities.map(({ id }: { id: number }) => id)).toEqual([older.id]);
    },
  }),
  row({
    name: "deletes that of a deleted contact",
    async given(world) {
      const given = await givenTwo(world);
      await world.send("owner", "DELETE", `/contacts/${given.contact.id}`, { location_id: world.north });
      return given;
    },
    send: (world, { newer }) => ["DELETE", `/opportunities/${newer.id}`, { location_id: world.north }],
    expect: { status: 204 },
  }),
]);
