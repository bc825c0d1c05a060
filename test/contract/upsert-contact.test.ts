/** POST /contacts/upsert */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";

contract("upsertContact", [
  row({
    name: "creates a contact without a match: 201",
    send: (world) => ["POST", "/contacts/upsert", { location_id: world.north, email: "new@example.com" }],
    expect: {
      status: 201,
      body: {
        created: true,
        contact: { email: "new@example.com", first_name: "", last_name: "", name: "new@example.com" },
      },
      events: ["contact.created"],
    },
  }),
  row({
    name: "treats null names like omitted ones",
    send: (world) => [
      "POST",
      "/contacts/upsert",
      { location_id: world.north, email: "nameless@example.com", first_name: null, last_name: null },
    ],
    expect: {
      status: 201,
      body: { contact: { first_name: "", last_name: "", name: "nameless@example.com" } },
      events: ["contact.created"],
    },
  }),
  row({
    name: "does not clear a name by null",
    given: givenContact,
    send: (world, given) => [
      "POST",
      "/contacts/upsert",
      { location_id: world.north, email: given.email, first_name: null, last_name: null },
    ],
    expect: { status: 200, body: (_world, { name, first_name }) => ({ contact: { name, first_name } }) },
  }),
  row({
    name: "a number without its extension does not match",
    given: (world) => givenContact(world, { phone: "212 555 7010 ext. 12" }),
    send: (world) => ["POST", "/contacts/upsert", { location_id: world.north, phone: "212 555 7010 ext. 13" }],
    expect: {
      status: 201,
      body: { contact: { phone_display: "(212) 555-7010 ext. 13" } },
      events: ["contact.created"],
    },
  }),
  row({
    name: "uses the phone number as the display name without other fields",
    send: (world) => ["POST", "/contacts/upsert", { location_id: world.north, phone: "212-555-9999" }],
    expect: { status: 201, body: { contact: { name: "(212) 555-9999" } }, events: ["contact.created"] },
  }),
  row({
    name: "updates the contact with the e-mail, ignoring case: 200",
    given: givenContact,
    send: (world, given) => [
      "POST",
      "/contacts/upsert",
      { location_id: world.north, email: given.email.toUpperCase(), city: "Utica" },
    ],
    expect: {
      status: 200,
      body: (_world, given) => ({ created: false, contact: { id: given.id, city: "Utica", first_name: "Ada" } }),
      events: ["contact.updated"],
    },
  }),
  row({
    name: "updates the contact with the phone number, in any notation",
    given: (world) => givenContact(world, { phone: "(212) 555-7001" }),
    send: (world) => [
      "POST",
      "/contacts/upsert",
      { location_id: world.north, phone: "+1 212 555 7001", interest: "trees" },
    ],
    expect: {
      status: 200,
      body: (_world, given) => ({ created: false, contact: { id: given.id } }),
      events: ["contact.updated"],
    },
  }),
  row({
    name: "without changes raises no event",
    given: givenContact,
    send: (world, given) => [
      "POST",
      "/contacts/upsert",
      { location_id: world.north, email: given.email, first_name: "Ada" },
    ],
    expect: { status: 200, body: { created: false } },
  }),
  row({
    name: "e-mail takes precedence over phone, and the other contact is reported",
    async given(world) {
      return { byEmail: await givenContact(world), byPhone: await givenContact(world, { phone: "212 555 7002" }) };
    },
    send: (world, { byEmail }) => [
      "POST",
      "/contacts/upsert",
      { location_id: world.north, email: byEmail.email, phone: "212 555 7002" },
    ],
    expect: {
      status: 200,
      body: (_world, { byEmail, byPhone }) => ({
        created: false,
        contact: { id: byEmail.id },
        possible_duplicates: [{ id: byPhone.id, name: byPhone.name, matched_on: "phone" }],
      }),
      events: ["contact.updated"],
    },
  }),
  row({
    name: "of several with the same e-mail the oldest is updated",
    async given(world) {
      const first = await givenContact(world);
      await givenContact(world, { email: first.email });
      return first;
    },
    send: (world, given) => [
      "POST",
      "/contacts/upsert",
      { location_id: world.north, email: given.email, zip: "10002" },
    ],
    expect: { status: 200, body: (_world, given) => ({ contact: { id: given.id } }), events: ["contact.updated"] },
  }),
  row({
    name: "does not match contacts of another location",
    given: givenContact,
    send: (world, given) => ["POST", "/contacts/upsert", { location_id: world.south, email: given.email }],
    expect: { status: 201, body: { created: true }, events: ["contact.created"] },
  }),
  row({
    name: "without e-mail and phone both are reported",
    send: (world) => [
      "POST",
      "/contacts/upsert",
      { location_id: world.north, first_name: "Nobody", email: "", phone: null },
    ],
    expect: { status: 422, body: { errors: { email: [expect.any(String)], phone: [expect.any(String)] } } },
  }),
  row({
    name: "refuses another contact's external_ref",
    given: givenContact,
    send: (world, given) => [
      "POST",
      "/contacts/upsert",
      { location_id: world.north, email: "someone.else@example.com", external_ref: given.external_ref },
    ],
    expect: { status: 422, body: { errors: { external_ref: ["The external ref has already been taken."] } } },
  }),
]);
