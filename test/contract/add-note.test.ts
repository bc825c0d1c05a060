/** POST /contacts/{id}/notes */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";

contract("addNote", [
  row({
    name: "returns exactly the note",
    given: givenContact,
    send: (world, given) => [
      "POST",
      `/contacts/${given.id}/notes`,
      { location_id: world.north, body: " Call back ", pinned: true },
    ],
    expect: { status: 201, events: ["note.added"] },
    async afterwards(_world, _given, body) {
      expect(body).toEqual({
        id: expect.any(Number),
        body: "Call back",
        pinned: true,
        user: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      });
    },
  }),
  row({
    name: "updates the contact's last_activity_at, but not updated_at",
    given: givenContact,
    send: (world, given) => {
      world.clock.advance({ minutes: 5 });
      return ["POST", `/contacts/${given.id}/notes`, { location_id: world.north, body: "x" }];
    },
    expect: { status: 201, body: { pinned: false }, events: ["note.added"] },
    async afterwards(world, given) {
      const { body } = await world.send("owner", "GET", `/contacts/${given.id}?location_id=${world.north}`);
      expect(body.last_activity_at).toBe(world.clock.now().toISOString());
      expect(body.updated_at).toBe(given.updated_at);
    },
  }),
  row({
    name: "is truncated on the contact's timeline",
    given: givenContact,
    send: (world, given) => [
      "POST",
      `/contacts/${given.id}/notes`,
      { location_id: world.north, body: `${"😀".repeat(254)}xyz` },
    ],
    expect: { status: 201, events: ["note.added"] },
    async afterwards(world, given) {
      const { body } = await world.send("owner", "GET", `/contacts/${given.id}?location_id=${world.north}`);
      expect(body.activities[0].data).toEqual([{ field: "note", old: null, new: `${"😀".repeat(254)}…` }]);
    },
  }),
  row({
    name: "requires a body",
    given: givenContact,
    send: (world, given) => ["POST", `/contacts/${given.id}/notes`, { location_id: world.north, pinned: "no" }],
    expect: {
      status: 422,
      body: { errors: { body: ["The body field is required."], pinned: ["The pinned field must be true or false."] } },
    },
  }),
  row({
    name: "has at most 65,536 characters",
    given: givenContact,
    send: (world, given) => [
      "POST",
      `/contacts/${given.id}/notes`,
      { location_id: world.north, body: "x".repeat(65_537) },
    ],
    expect: { status: 422, body: { errors: { body: ["The body field must not be longer than 65536 characters."] } } },
  }),
]);
