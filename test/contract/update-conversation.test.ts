/** PATCH /conversations/{id} */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenChannel, givenContact, givenConversation, handIn, made } from "../support/given.ts";
import type { World } from "../support/world.ts";

const later = "2026-12-01T09:00:00.000Z";

async function given(world: World, fields: Record<string, unknown> = {}) {
  const { conversation } = await givenConversation(world, { body: "Good morning!" });
  if (Object.keys(fields).length === 0) return conversation;
  return made(
    world.send("owner", "PATCH", `/conversations/${conversation.id}`, { location_id: world.north, ...fields }),
  );
}

/** A conversation with an unknown sender. */
async function givenUnknown(world: World) {
  const channel = await givenChannel(world);
  const { conversation_id } = await made(handIn(world, channel, { from: "nobody.knows", body: "Who am I?" }));
  return { channel, id: conversation_id };
}

/** [name, state before, body] → state after, and the changes in the event. */
const moves: [name: string, before: object, body: object, after: object, changes: object[]][] = [
  ["closes", {}, { status: "closed" }, { status: "closed" }, [{ field: "status", old: "open", new: "closed" }]],
  [
    "reopens",
    { status: "closed" },
    { status: "open" },
    { status: "open" },
    [{ field: "status", old: "closed", new: "open" }],
  ],
  [
    "snoozes until a time, whatever its offset",
    {},
    { status: "snoozed", snoozed_until: "2026-12-01T10:00:00+01:00" },
    { status: "snoozed", snoozed_until: later },
    [
      { field: "status", old: "open", new: "snoozed" },
      { field: "snoozed_until", old: null, new: later },
    ],
  ],
  [
    "snoozes without an end",
    {},
    { status: "snoozed" },
    { status: "snoozed", snoozed_until: null },
    [{ field: "status", old: "open", new: "snoozed" }],
  ],
  [
    "gives a snooze another end",
    { status: "snoozed", snoozed_until: later },
    { snoozed_until: null },
    { status: "snoozed", snoozed_until: null },
    [{ field: "snoozed_until", old: later, new: null }],
  ],
  [
    "any other status clears the end of the snooze",
    { status: "snoozed", snoozed_until: later },
    { status: "closed", snoozed_until: later },
    { status: "closed", snoozed_until: null },
    [
      { field: "status", old: "snoozed", new: "closed" },
      { field: "snoozed_until", old: later, new: null },
    ],
  ],
];

contract("updateConversation", [
  ...moves.map(([name, before, body, after, changes]) =>
    row({
      name,
      given: (world) => given(world, before as Record<string, unknown>),
      send: (world, { id }) => ["PATCH", `/conversations/${id}`, { location_id: world.north, ...body }],
      expect: { status: 200, body: after, events: ["conversation.updated"] },
      async afterwards(world, { id, contact }, answered) {
        const { events } = await world.eventsDuring(async () => {});
        expect(events).toEqual([]);
        const shown = await made(world.send("owner", "GET", `/conversations/${id}?location_id=${world.north}`));
        expect(shown.conversation).toEqual(answered);
        const { activities } = await made(
          world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`),
        );
        expect(activities[0]).toMatchObject({ kind: "conversation.updated", data: changes });
      },
    }),
  ),
  row({
    name: "an end time without a snooze is ignored, and raises no event",
    given: (world) => given(world),
    send: (world, { id }) => ["PATCH", `/conversations/${id}`, { location_id: world.north, snoozed_until: later }],
    expect: { status: 200, body: { status: "open", snoozed_until: null } },
  }),
  row({
    name: "current values are not a change",
    given: (world) => given(world, { status: "snoozed", snoozed_until: later }),
    send: (world, { id }) => [
      "PATCH",
      `/conversations/${id}`,
      { location_id: world.north, status: "snoozed", snoozed_until: later, assignee_user_id: null, unread: false },
    ],
    expect: { status: 200, body: (_world, before) => before },
  }),
  row({
    name: "assigns it to a person with access",
    given: (world) => given(world),
    send: (world, { id }) => [
      "PATCH",
      `/conversations/${id}`,
      { location_id: world.north, assignee_user_id: world.users.nora },
    ],
    expect: {
      status: 200,
      body: (world) => ({ assignee: { id: world.users.nora, name: "Nora" } }),
      events: ["conversation.updated"],
    },
  }),
  row({
    name: "null unassigns it",
    given: (world) => given(world, { assignee_user_id: world.users.nora }),
    send: (world, { id }) => ["PATCH", `/conversations/${id}`, { location_id: world.north, assignee_user_id: null }],
    expect: { status: 200, body: { assignee: null }, events: ["conversation.updated"] },
  }),
  row({
    name: "marks it as read, which is not an activity of the contact",
    async given(world) {
      const contact = await givenContact(world);
      const channel = await givenChannel(world);
      const { conversation_id } = await made(handIn(world, channel, { from: contact.email, body: "Hello?" }));
      world.clock.advance({ minutes: 5 });
      return { contact, id: conversation_id, read: world.clock.now().toISOString() };
    },
    send: (world, { id }) => ["PATCH", `/conversations/${id}`, { location_id: world.north, unread: false }],
    expect: { status: 200, body: { unread: false, unread_count: 0 }, events: ["conversation.updated"] },
    async afterwards(world, { contact, read }) {
      const { last_activity_at } = await made(
        world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`),
      );
      expect(last_activity_at < read).toBe(true);
    },
  }),
  row({
    name: "sets the contact: search finds it by name, and later messages belong to the contact",
    async given(world) {
      return { ...(await givenUnknown(world)), contact: await givenContact(world, { last_name: "Settled" }) };
    },
    send: (world, { id, contact }) => [
      "PATCH",
      `/conversations/${id}`,
      { location_id: world.north, contact_id: contact.id },
    ],
    expect: {
      status: 200,
      body: (_world, { contact }) => ({ contact: { id: contact.id, name: contact.name }, possible_match: null }),
      events: ["conversation.updated"],
    },
    async afterwards(world, { id, channel, contact }) {
      const list = await made(world.send("owner", "GET", `/conversations?location_id=${world.north}&search=settled`));
      expect(list.data.map((found: { id: number }) => found.id)).toContain(id);
      const next = await handIn(world, channel, { from: "nobody.knows", body: "Me again" });
      expect(next.body).toMatchObject({ conversation_id: id });
      const shown = await made(world.send("owner", "GET", `/conversations/${id}?location_id=${world.north}`));
      expect(shown.conversation).toMatchObject({ contact: { id: contact.id }, unread_count: 2 });
    },
  }),
  row({
    name: "reports every invalid field at once",
    given: (world) => given(world),
    send: (world, { id }) => [
      "PATCH",
      `/conversations/${id}`,
      { location_id: world.north, contact_id: 987_654, assignee_user_id: world.users.otto },
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          assignee_user_id: ["The assignee user id field must name a person who has access to the location."],
          contact_id: ["The contact id field must name a contact of the location."],
        },
      },
    },
  }),
  row({
    name: "refuses an unknown status, a time without an offset, and marking as unread",
    given: (world) => given(world),
    send: (world, { id }) => [
      "PATCH",
      `/conversations/${id}`,
      { location_id: world.north, status: "done", snoozed_until: "tomorrow", unread: true, contact_id: null },
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          status: ["The status field must be one of open, snoozed, closed."],
          snoozed_until: [
            "The snoozed until field must be a timestamp with an offset or Z, such as 2026-03-01T12:00:00Z.",
          ],
          unread: ["The unread field must be false."],
          contact_id: [expect.any(String)],
        },
      },
    },
  }),
]);
