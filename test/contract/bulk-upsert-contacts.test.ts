/** POST /contacts/bulk */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";

contract("bulkUpsertContacts", [
  row({
    name: "items are independent, and in the order sent",
    given: givenContact,
    send: (world, given) => [
      "POST",
      "/contacts/bulk",
      {
        location_id: world.north,
        contacts: [
          { email: "bulk.one@example.com", first_name: "One" },
          { email: given.email, city: "Troy" },
          { first_name: "Nobody" },
          { email: "bad" },
          { email: "BULK.one@example.com", city: "Rome" },
          { email: "bulk.two@example.com", external_ref: given.external_ref },
          "not an object",
        ],
      },
    ],
    expect: {
      status: 200,
      events: ["contact.created", "contact.updated", "contact.updated"],
      body: (_world, given) => ({
        data: [
          { status: 201, created: true, id: expect.any(Number) },
          { status: 200, created: false, id: given.id },
          {
            status: 422,
            message: expect.any(String),
            errors: { email: [expect.any(String)], phone: [expect.any(String)] },
          },
          { status: 422, errors: { email: ["The email field must be a valid email address."] } },
          { status: 200, created: false, id: expect.any(Number) },
          { status: 422, errors: { external_ref: ["The external ref has already been taken."] } },
          { status: 422 },
        ],
      }),
    },
    async afterwards(_world, _given, body) {
      expect(body.data[4].id).toBe(body.data[0].id);
    },
  }),
  row({
    name: "accepts 200 items",
    send: (world) => [
      "POST",
      "/contacts/bulk",
      {
        location_id: world.south,
        contacts: Array.from({ length: 200 }, (_, n) => ({ email: `many.${n}@example.com` })),
      },
    ],
    expect: { status: 200, events: Array.from({ length: 200 }, () => "contact.created") },
    async afterwards(world, _given, body) {
      expect(new Set(body.data.map((item: { id: number }) => item.id)).size).toBe(200);
      const list = await world.send("owner", "GET", `/contacts?location_id=${world.south}`);
      expect(list.body.total).toBe(200);
    },
  }),
  ...([[], Array.from({ length: 201 }, () => ({ email: "a@b.co" })), "x", undefined] as unknown[]).map((contacts) =>
    row({
      name: `refuses ${Array.isArray(contacts) ? `${contacts.length} items` : String(contacts)}`,
      send: (world) => ["POST", "/contacts/bulk", { location_id: world.north, contacts }],
      expect: { status: 422, body: { errors: { contacts: [expect.any(String)] } } },
    }),
  ),
]);
