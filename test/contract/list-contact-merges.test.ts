/** GET /contacts/{id}/merges */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact, made } from "../support/given.ts";
import type { World } from "../support/world.ts";

async function givenMerges(world: World, count: number) {
  const contact = await givenContact(world);
  const merged: number[] = [];
  for (let number = 0; number < count; number++) {
    const { id } = await givenContact(world);
    const body = { location_id: world.north, contact_id: id };
    await made(world.send("owner", "POST", `/contacts/${contact.id}/merge`, body));
    merged.unshift(id);
  }
  return { contact, merged };
}

contract("listContactMerges", [
  row({
    name: "lists the merged contacts, newest first",
    given: (world) => givenMerges(world, 3),
    send: (world, { contact }) => ["GET", `/contacts/${contact.id}/merges?location_id=${world.north}`],
    expect: {
      status: 200,
      body: (_world, { merged }) => ({
        data: merged.map((id) => ({ contact_id: id, status: "done", finished_at: expect.any(String) })),
        next_cursor: null,
      }),
    },
  }),
  row({
    name: "is empty for a contact without merges",
    given: givenContact,
    send: (world, contact) => ["GET", `/contacts/${contact.id}/merges?location_id=${world.north}`],
    expect: { status: 200, exactly: { data: [], next_cursor: null } },
  }),
]);
