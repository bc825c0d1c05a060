/** PATCH /contacts/{id} */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";
import { payloadOf } from "../support/events.ts";

contract("updateContact", [
  row({
    name: "updates only the given fields",
    given: givenContact,
    send: (world, given) => ["PATCH", `/contacts/${given.id}`, { location_id: world.north, city: "Albany", dnd: true }],
    expect: {
      status: 200,
      events: ["contact.updated"],
      body: (_world, given) => ({
        city: "Albany",
        dnd: true,
        email: given.email,
        external_ref: given.external_ref,
        activities: [
          {
            kind: "contact.updated",
            data: [
              { field: "city", old: null, new: "Albany" },
              { field: "dnd", old: false, new: true },
            ],
          },
          { kind: "contact.created" },
        ],
      }),
    },
  }),
  row({
    name: "the event contains the record without its lists, and the changes",
    given: givenContact,
    send: (world, given) => ["PATCH", `/contacts/${given.id}`, { location_id: world.north, last_name: "Lovelace" }],
    expect: { status: 200, events: ["contact.updated"] },
    async afterwards(world, given) {
      const [{ data }] = (await world.service.database.rows<{ data: string }>(
        "select data from events where contact_id = ? order by id desc limit 1",
        [given.id],
      )) as [{ data: string }];
      const { opportunities, tasks, notes, conversations, activities, ...record } = given;
      expect([opportunities, tasks, notes, conversations, activities].every(Array.isArray)).toBe(true);
      expect(payloadOf(data)).toEqual({
        ...record,
        name: "Ada Lovelace",
        last_name: "Lovelace",
        last_activity_at: expect.any(String),
        updated_at: expect.any(String),
        location_id: world.north,
        changes: [{ field: "last_name", old: record.last_name, new: "Lovelace" }],
      });
    },
  }),
  row({
    name: "an update without changes raises no event and updates no time",
    given: givenContact,
    send: (world, given) => {
      world.clock.advance({ minutes: 1 });
      return ["PATCH", `/contacts/${given.id}`, { location_id: world.north, first_name: "Ada", email: given.email }];
    },
    expect: {
      status: 200,
      body: (_world, given) => ({ updated_at: given.updated_at, last_activity_at: given.last_activity_at }),
    },
  }),
  row({
    name: "an empty patch changes nothing",
    given: givenContact,
    send: (world, given) => ["PATCH", `/contacts/${given.id}`, { location_id: world.north }],
    expect: { status: 200 },
  }),
  row({
    name: "null clears nullable fields",
    given: (world) => givenContact(world, { owner_user_id: world.users.olga }),
    send: (world, given) => [
      "PATCH",
      `/contacts/${given.id}`,
      { location_id: world.north, email: null, phone: "", owner_user_id: null, external_ref: null },
    ],
    expect: {
      status: 200,
      body: { email: null, phone_display: null, owner: null, external_ref: null },
      events: ["contact.updated"],
    },
  }),
  row({
    name: "its own external_ref is not a duplicate",
    given: givenContact,
    send: (world, given) => [
      "PATCH",
      `/contacts/${given.id}`,
      { location_id: world.north, external_ref: given.external_ref },
    ],
    expect: { status: 200 },
  }),
  row({
    name: "another contact's external_ref is a duplicate",
    async given(world) {
      return { other: await givenContact(world), mine: await givenContact(world) };
    },
    send: (world, { mine, other }) => [
      "PATCH",
      `/contacts/${mine.id}`,
      { location_id: world.north, external_ref: other.external_ref },
    ],
    expect: { status: 422, body: { errors: { external_ref: ["The external ref has already been taken."] } } },
  }),
  row({
    name: "changing external_ref releases the old one",
    async given(world) {
      const contact = await givenContact(world);
      await world.send("owner", "PATCH", `/contacts/${contact.id}`, {
        location_id: world.north,
        external_ref: `${contact.external_ref}-new`,
      });
      return contact;
    },
    send: (world, given) => [
      "POST",
      "/contacts",
      { location_id: world.north, first_name: "Next", last_name: "", external_ref: given.external_ref },
    ],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "accepts what GET returned, including an empty first name",
    async given(world) {
      const { body } = await world.send("owner", "POST", "/contacts/upsert", {
        location_id: world.north,
        email: "patched.as.shown@example.com",
      });
      return (await world.send("owner", "GET", `/contacts/${body.contact.id}?location_id=${world.north}`)).body;
    },
    send: (world, given) => ["PATCH", `/contacts/${given.id}`, { ...given, location_id: world.north }],
    expect: { status: 200, body: (_world, given) => given },
  }),
  row({
    name: "first_name cannot be cleared",
    given: givenContact,
    send: (world, given) => ["PATCH", `/contacts/${given.id}`, { location_id: world.north, first_name: "  " }],
    expect: { status: 422, body: { errors: { first_name: ["The first name field is required."] } } },
  }),
  row({
    name: "the path is checked before the body",
    send: (world) => ["PATCH", "/contacts/123456", { location_id: world.north, email: 5 }],
    expect: { status: 404, exactly: { error: "contact.not_found" } },
  }),
]);
