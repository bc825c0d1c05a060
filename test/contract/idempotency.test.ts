/** Idempotency-Key on every POST. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import type { World } from "../support/world.ts";

const key = (name: string) => ({ "idempotency-key": name });
const person = (world: World, fields: Record<string, unknown> = {}) => ({
  location_id: world.north,
  first_name: "Ida",
  last_name: "",
  ...fields,
});

contract("Idempotency-Key", [
  row({
    name: "the same key and body give the same answer without a second contact",
    given: async (world) => (await world.send("owner", "POST", "/contacts", person(world), key("one"))).text,
    send: (world) => ["POST", "/contacts", person(world), key("one")],
    expect: { status: 201, headers: { "idempotency-replayed": /^true$/ } },
    async afterwards(_world, given, body) {
      expect(JSON.stringify(body)).toBe(given);
    },
  }),
  row({
    name: "another body under the same key is refused",
    given: (world) => world.send("owner", "POST", "/contacts", person(world), key("two")),
    send: (world) => ["POST", "/contacts", person(world, { city: "Other" }), key("two")],
    expect: { status: 422, body: { errors: { "Idempotency-Key": [expect.any(String)] } } },
  }),
  row({
    name: "keys of one holder mean nothing to another",
    given: (world) => world.send("owner", "POST", "/contacts", person(world), key("three")),
    as: "northOnly",
    send: (world) => ["POST", "/contacts", person(world), key("three")],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "nor to another path",
    given: (world) => world.send("owner", "POST", "/contacts", person(world), key("four")),
    send: (world) => ["POST", "/contacts/upsert", person(world, { email: "four@example.com" }), key("four")],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "an error is not kept",
    async given(world) {
      const refused = await world.send("owner", "POST", "/contacts", person(world, { email: "bad" }), key("five"));
      expect(refused.status).toBe(422);
    },
    send: (world) => ["POST", "/contacts", person(world), key("five")],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "after a day the key is new",
    async given(world) {
      await world.send("owner", "POST", "/contacts", person(world), key("six"));
      world.clock.advance({ hours: 24, seconds: 1 });
    },
    send: (world) => ["POST", "/contacts", person(world), key("six")],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "thirty at once do the work once",
    async given(world) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () =>
          world.send("owner", "POST", "/contacts", person(world, { external_ref: "idem-30" }), key("seven")),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    },
    send: (world) => [
      "GET",
      `/contacts?location_id=${world.north}&filters=${encodeURIComponent('{"external_ref":"idem-30"}')}`,
    ],
    expect: { status: 200, body: { total: 1 } },
  }),
  row({
    name: "a key that is too long is refused",
    send: (world) => ["POST", "/contacts", person(world), key("k".repeat(256))],
    expect: { status: 422, body: { errors: { "Idempotency-Key": [expect.any(String)] } } },
  }),
]);
