/** POST /contacts */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";

const now = "2026-03-01T12:00:00.000Z";

contract("createContact", [
  row({
    name: "returns exactly the full shape",
    send: (world) => [
      "POST",
      "/contacts",
      {
        location_id: world.north,
        first_name: " Grace ",
        last_name: "Hopper",
        email: "Grace@Example.com",
        phone: "(212) 555-0123",
        company: "Navy",
        source: "import",
        interest: "compilers",
        address1: "1 Main St",
        city: "New York",
        state: "NY",
        zip: "10001",
        timezone: "America/New_York",
        dnd: true,
        owner_user_id: String(world.users.nora),
        external_ref: "grace-1",
      },
    ],
    expect: { status: 201, events: ["contact.created"] },
    async afterwards(world, _given, body) {
      expect(body).toEqual({
        id: expect.any(Number),
        name: "Grace Hopper",
        first_name: "Grace",
        last_name: "Hopper",
        email: "Grace@Example.com",
        phone_display: "(212) 555-0123",
        interest: "compilers",
        source: "import",
        owner: { id: world.users.nora, name: "Nora" },
        tags: [],
        stage: null,
        value_cents: 0,
        last_activity_at: now,
        next_task: null,
        dnd: true,
        company: "Navy",
        address1: "1 Main St",
        city: "New York",
        state: "NY",
        zip: "10001",
        timezone: "America/New_York",
        external_ref: "grace-1",
        created_at: now,
        updated_at: now,
        opportunities: [],
        tasks: [],
        notes: [],
        conversations: [],
        activities: [
          {
            id: expect.any(Number),
            kind: "contact.created",
            actor: { type: "api_key", id: expect.any(Number), name: "owner" },
            data: [],
            created_at: now,
          },
        ],
      });
    },
  }),
  row({
    name: "uses the e-mail as the display name without a name",
    send: (world) => [
      "POST",
      "/contacts",
      { location_id: world.north, first_name: "-", last_name: "", email: "x@example.com" },
    ],
    expect: { status: 201, body: { name: "-", last_name: "" }, events: ["contact.created"] },
  }),
  row({
    name: "requires only the names",
    send: (world) => ["POST", "/contacts", { location_id: world.south, first_name: "Only", last_name: "Names" }],
    expect: {
      status: 201,
      body: { email: null, phone_display: null, owner: null, dnd: false },
      events: ["contact.created"],
    },
  }),
  row({
    name: "treats empty strings as null, and ignores unknown fields",
    send: (world) => [
      "POST",
      "/contacts",
      {
        location_id: world.north,
        first_name: "E",
        last_name: "M",
        email: "",
        city: " ",
        id: 7,
        created_at: "1999-01-01",
        workspace: 9,
        frob: 1,
      },
    ],
    expect: { status: 201, body: { email: null, city: null, created_at: now }, events: ["contact.created"] },
  }),
  row({
    name: "accepts an e-mail that another contact has",
    given: givenContact,
    send: (world, given) => [
      "POST",
      "/contacts",
      { location_id: world.north, first_name: "Twin", last_name: "", email: given.email },
    ],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "keeps an invalid phone number as text",
    send: (world) => [
      "POST",
      "/contacts",
      { location_id: world.north, first_name: "P", last_name: "", phone: "ask for Joe" },
    ],
    expect: { status: 201, body: { phone_display: "ask for Joe" }, events: ["contact.created"] },
  }),
  row({
    name: "shows a phone number of another country in international format",
    send: (world) => [
      "POST",
      "/contacts",
      { location_id: world.north, first_name: "P", last_name: "", phone: "+44 20 7946 0018" },
    ],
    expect: { status: 201, body: { phone_display: "+44 20 7946 0018" }, events: ["contact.created"] },
  }),
  row({
    name: "counts code points, not bytes",
    send: (world) => ["POST", "/contacts", { location_id: world.north, first_name: "😀".repeat(255), last_name: "" }],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "reports every invalid field",
    send: (world) => [
      "POST",
      "/contacts",
      {
        location_id: world.north,
        first_name: "",
        email: "not an address",
        phone: "1".repeat(33),
        state: "NYC",
        zip: "12345678901",
        timezone: "Mars/Base",
        dnd: "yes",
        owner_user_id: "one",
        company: 7,
        city: "a\0b",
      },
    ],
    expect: {
      status: 422,
      body: {
        message: "The first name field is required. (and 10 more errors)",
        errors: {
          first_name: ["The first name field is required."],
          last_name: ["The last name field is required."],
          email: ["The email field must be a valid email address."],
          phone: ["The phone field must not be longer than 32 characters."],
          state: ["The state field must not be longer than 2 characters."],
          zip: ["The zip field must not be longer than 10 characters."],
          timezone: [expect.stringContaining("The timezone field must be an IANA time zone name")],
          dnd: ["The dnd field must be true or false."],
          owner_user_id: ["The owner user id field must be a positive integer."],
          company: ["The company field must be a string."],
          city: ["The city field must not contain NUL bytes."],
        },
      },
    },
  }),
  ...(
    ["first_name", "last_name", "email", "company", "source", "interest", "address1", "city", "external_ref"] as const
  ).map((field) =>
    row({
      name: `refuses ${field} longer than 255 characters`,
      send: (world) => [
        "POST",
        "/contacts",
        { location_id: world.north, first_name: "A", last_name: "B", [field]: `${"a".repeat(250)}@b.com` },
      ],
      expect: {
        status: 422,
        body: {
          errors: {
            [field]: expect.arrayContaining([expect.stringContaining("must not be longer than 255 characters.")]),
          },
        },
      },
    }),
  ),
  row({
    name: "a duplicate external_ref answers 422",
    given: givenContact,
    send: (world, given) => [
      "POST",
      "/contacts",
      { location_id: world.south, first_name: "D", last_name: "", external_ref: given.external_ref },
    ],
    expect: { status: 422, body: { errors: { external_ref: ["The external ref has already been taken."] } } },
  }),
  row({
    name: "the external_ref of a deleted contact stays reserved",
    async given(world) {
      const contact = await givenContact(world);
      await world.send("owner", "DELETE", `/contacts/${contact.id}`, { location_id: world.north });
      return contact;
    },
    send: (world, given) => [
      "POST",
      "/contacts",
      { location_id: world.north, first_name: "D", last_name: "", external_ref: given.external_ref },
    ],
    expect: { status: 422, body: { errors: { external_ref: ["The external ref has already been taken."] } } },
  }),
  row({
    name: "another workspace cannot take it either",
    given: givenContact,
    as: "stranger",
    send: (world, given) => [
      "POST",
      "/contacts",
      { location_id: world.foreign, first_name: "D", last_name: "", external_ref: given.external_ref },
    ],
    expect: { status: 422, body: { errors: { external_ref: ["The external ref has already been taken."] } } },
  }),
  row({
    name: "a lone surrogate is refused",
    send: (world) => [
      "POST",
      "/contacts",
      { location_id: world.north, first_name: "A", last_name: "", external_ref: "\ud801" },
    ],
    expect: { status: 422, body: { errors: { external_ref: ["The external ref field must be valid Unicode text."] } } },
  }),
  row({
    name: "an owner without access to the location is refused",
    send: (world) => [
      "POST",
      "/contacts",
      { location_id: world.south, first_name: "A", last_name: "", owner_user_id: world.users.nora },
    ],
    expect: { status: 422, body: { errors: { owner_user_id: [expect.any(String)] } } },
  }),
]);
