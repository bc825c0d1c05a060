/** POST /events */
import { expect } from "vitest";
import { limits } from "../../src/vocabulary/limits.ts";
import { eventNames, events, reportedNames } from "../../src/vocabulary/events.ts";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";
import type { World } from "../support/world.ts";
import { payloadOf } from "../support/events.ts";

const nested = (depth: number): object => (depth === 1 ? {} : { in: nested(depth - 1) });

/** Each field of `sent`, and the sentence that it is refused with. */
const refused: readonly (readonly [what: string, sent: object, errors: Record<string, string[]>])[] = [
  [
    "an event that the service raises itself",
    { event: "contact.created", data: {} },
    { event: [`The event field must be one of ${reportedNames.join(", ")}.`] },
  ],
  ["nothing", {}, { event: ["The event field is required."], data: ["The data field is required."] }],
  [
    "what is no object, and a time without an offset",
    { event: "page.viewed", data: "x", occurred_at: "2026-03-01T12:00:00" },
    {
      data: ["The data field must be an object."],
      occurred_at: ["The occurred at field must be a timestamp with an offset or Z, such as 2026-03-01T12:00:00Z."],
    },
  ],
  [
    "members that the service adds",
    { event: "page.viewed", data: { contact: {}, location_id: 1, url: "x" } },
    {
      "data.contact": ["The data.contact field must be left out: the service adds it."],
      "data.location_id": ["The data.location id field must be left out: the service adds it."],
    },
  ],
  [
    "NUL bytes, however deep",
    { event: "page.viewed", data: { a: [{ b: "x\0" }] } },
    { data: ["The data field must not contain NUL bytes."] },
  ],
  [
    "half a character in a name",
    { event: "page.viewed", data: { "\ud800": 1 } },
    { data: ["The data field must be valid Unicode text."] },
  ],
  [
    "a number that would be kept as another",
    { event: "page.viewed", data: { id: 2 ** 53 } },
    { data: ["The data field must not contain numbers that cannot be kept exactly: send them as text."] },
  ],
  [
    "what is nested too deeply",
    { event: "page.viewed", data: nested(limits.reportedEventDepth + 1) },
    { data: ["The data field must be nested at most 16 levels deep."] },
  ],
  [
    "what is too large",
    { event: "page.viewed", data: { body: "é".repeat(limits.reportedEventBytes / 2) } },
    { data: [`The data field must not be larger than ${limits.reportedEventBytes} bytes.`] },
  ],
];

const timelineOf = async (world: World, id: number) =>
  (await world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`)).body;

contract("reportEvent", [
  ...refused.map(([what, sent, errors]) =>
    row({
      name: `refuses ${what}`,
      send: (world) => ["POST", "/events", { location_id: world.north, ...sent }],
      expect: { status: 422, body: { errors } },
    }),
  ),
  row({
    name: "appears on the contact's timeline, and moves the contact to the front",
    async given(world) {
      const contact = await givenContact(world);
      world.clock.advance({ minutes: 5 });
      return contact;
    },
    send: (world, { id }) => [
      "POST",
      "/events",
      {
        location_id: world.north,
        event: "form.submitted",
        contact_id: String(id),
        data: {
          form: "Offer",
          empty: "",
          fields: { a: [1] },
          newsletter: true,
          score: 0.5,
          x: null,
          long: "y".repeat(300),
        },
        occurred_at: "2026-03-01T12:00:00+02:00",
      },
    ],
    expect: { status: 201, events: ["form.submitted"] },
    async afterwards(world, { id }, body) {
      const now = world.clock.now().toISOString();
      expect(body).toEqual({ id: expect.any(Number), event: "form.submitted", created_at: now });
      const { activities, last_activity_at } = await timelineOf(world, id);
      expect(last_activity_at).toBe(now);
      expect(activities[0]).toEqual({
        id: body.id,
        kind: "form.submitted",
        actor: { type: "api_key", id: expect.any(Number), name: "owner" },
        data: [
          { field: "form", old: null, new: "Offer" },
          { field: "newsletter", old: null, new: true },
          { field: "score", old: null, new: 0.5 },
          { field: "long", old: null, new: `${"y".repeat(254)}…` },
          { field: "occurred_at", old: null, new: "2026-03-01T10:00:00.000Z" },
        ],
        created_at: now,
      });
    },
  }),
  row({
    name: "contains the data sent, the contact as in conversations, the time and the location",
    given: givenContact,
    send: (world, { id }) => [
      "POST",
      "/events",
      {
        location_id: world.north,
        event: "invoice.paid",
        contact_id: id,
        data: { number: "1", amount_cents: 100, lines: [{ a: null }] },
      },
    ],
    expect: { status: 201, events: ["invoice.paid"] },
    async afterwards(world, { id, name, phone_display, email }, body) {
      const [event] = await world.service.database.rows<{ data: string }>("select data from events where id = ?", [
        body.id,
      ]);
      expect(payloadOf(event!.data)).toEqual({
        number: "1",
        amount_cents: 100,
        lines: [{ a: null }],
        contact: { id, name, phone_display, email },
        occurred_at: null,
        location_id: world.north,
      });
    },
  }),
  row({
    name: "does not require a contact, and accepts empty data",
    send: (world) => [
      "POST",
      "/events",
      { location_id: world.north, event: "social_post.published", contact_id: null, data: {} },
    ],
    expect: { status: 201, body: { event: "social_post.published" }, events: ["social_post.published"] },
  }),
  row({
    name: "accepts data of maximum size and depth",
    given: givenContact,
    send: (world, { id }) => [
      "POST",
      "/events",
      {
        location_id: world.north,
        event: "page.viewed",
        contact_id: id,
        data: {
          deep: nested(limits.reportedEventDepth - 1),
          x: "x".repeat(
            limits.reportedEventBytes - JSON.stringify({ deep: nested(limits.reportedEventDepth - 1), x: "" }).length,
          ),
        },
      },
    ],
    expect: { status: 201, events: ["page.viewed"] },
  }),
  row({
    name: "a contact of another location is reported on its field",
    given: (world) => givenContact(world, { location_id: world.south }),
    send: (world, { id }) => [
      "POST",
      "/events",
      { location_id: world.north, event: "page.viewed", contact_id: id, data: {} },
    ],
    expect: {
      status: 422,
      body: { errors: { contact_id: ["The contact id field must name a contact of the location."] } },
    },
  }),
  row({
    name: "the readonly scope is not enough",
    as: "readonly",
    send: (world) => ["POST", "/events", { location_id: world.north, event: "page.viewed", data: {} }],
    expect: { status: 403, body: { required_scope: "events.write" } },
  }),
  ...reportedNames.map((event) =>
    row({
      name: `accepts ${event}`,
      given: givenContact,
      send: (world, { id }) => ["POST", "/events", { location_id: world.north, event, contact_id: id, data: { a: 1 } }],
      expect: { status: 201, body: { event }, events: [event] },
    }),
  ),
  ...eventNames
    .filter((event) => !events[event].outside)
    .map((event) =>
      row({
        name: `refuses ${event}`,
        send: (world) => ["POST", "/events", { location_id: world.north, event, data: {} }],
        expect: { status: 422, body: { errors: { event: [expect.stringMatching(/must be one of page\.viewed/)] } } },
      }),
    ),
]);
