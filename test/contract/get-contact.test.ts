/** GET /contacts/{id} */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import {
  givenChannel,
  givenContact,
  givenConversation,
  givenTag,
  givenTaggedContact,
  handIn,
  made,
} from "../support/given.ts";
import type { World } from "../support/world.ts";

/** A contact with these notes, the first one the oldest. */
async function withNotes(world: World, bodies: readonly string[]) {
  const contact = await givenContact(world);
  for (const body of bodies) {
    const added = await world.send("owner", "POST", `/contacts/${contact.id}/notes`, {
      location_id: world.north,
      body,
    });
    // The response of adding a note has the full text.
    expect(added).toMatchObject({ status: 201, body: { body } });
  }
  return contact;
}

contract("getContact", [
  row({
    name: "returns the full shape with the contact's records",
    async given(world) {
      const { contact, tag } = await givenTaggedContact(world);
      await world.send("owner", "POST", `/contacts/${contact.id}/notes`, { location_id: world.north, body: "First" });
      await world.send("owner", "POST", `/contacts/${contact.id}/notes`, {
        location_id: world.north,
        body: "Second",
        pinned: true,
      });
      return { contact, tag };
    },
    send: (world, { contact }) => ["GET", `/contacts/${contact.id}?location_id=${world.north}`],
    expect: {
      status: 200,
      body: (_world, { contact, tag }) => ({
        id: contact.id,
        tags: [{ id: tag.id, name: tag.name, color: "#112233" }],
        notes: [
          { body: "Second", pinned: true, user: null },
          { body: "First", pinned: false, user: null },
        ],
        activities: [
          { kind: "note.added", data: [{ field: "note", old: null, new: "Second" }] },
          { kind: "note.added", data: [{ field: "note", old: null, new: "First" }] },
          { kind: "contact.tag_added", data: [{ field: "tag", old: null, new: tag.name }] },
          { kind: "contact.created", data: [] },
        ],
        opportunities: [],
        tasks: [],
        conversations: [],
      }),
    },
  }),
  row({
    name: "truncates long notes after 4,096 characters, never within a character, and marks them",
    given: (world) =>
      withNotes(world, [
        "x".repeat(4096),
        "x".repeat(4097),
        "Ж".repeat(65_536),
        "😀".repeat(4096),
        `!${"\u0001".repeat(5000)}`,
        `${"x".repeat(4095)}😀${"y".repeat(10)}`,
      ]),
    send: (world, { id }) => ["GET", `/contacts/${id}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(_world, _given, { notes }) {
      expect(notes.map(({ body, truncated }: { body: string; truncated?: true }) => ({ body, truncated }))).toEqual([
        { body: `${"x".repeat(4095)}😀`, truncated: true },
        { body: `!${"\u0001".repeat(4095)}`, truncated: true },
        { body: "😀".repeat(4096), truncated: undefined },
        { body: "Ж".repeat(4096), truncated: true },
        { body: "x".repeat(4096), truncated: true },
        { body: "x".repeat(4096), truncated: undefined },
      ]);
      expect(notes.filter((note: object) => "truncated" in note)).toHaveLength(4);
    },
  }),
  row({
    name: "shows many long notes and many changes of many fields",
    async given(world) {
      const bodies = Array.from({ length: 30 }, (_, place) => `${place} ${"n".repeat(2000)}`);
      const { id } = await withNotes(world, bodies);
      const wide = (place: number) => `${place} ${"w".repeat(200)}`;
      for (let place = 0; place < 31; place++) {
        const fields = { company: wide(place), source: wide(place), interest: wide(place), city: wide(place) };
        await world.send("owner", "PATCH", `/contacts/${id}`, { location_id: world.north, ...fields });
      }
      return { id, bodies, wide };
    },
    send: (world, { id }) => ["GET", `/contacts/${id}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(world, { id, bodies, wide }, { notes, activities }) {
      expect(notes.map(({ body }: { body: string }) => body)).toEqual(bodies.toReversed());
      expect(activities).toHaveLength(62);
      activities.slice(0, 30).forEach(({ data }: { data: unknown }, place: number) => {
        const [old, now] = [wide(29 - place), wide(30 - place)];
        expect(data).toEqual(["company", "source", "interest", "city"].map((field) => ({ field, old, new: now })));
      });
      // More requests than connections: reads and changes have separate queues.
      const { id: tag_id } = await givenTag(world);
      const change = () => world.send("owner", "POST", `/contacts/${id}/tags`, { location_id: world.north, tag_id });
      const read = () => world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`);
      const answers = await Promise.all(Array.from({ length: 24 }, (_, place) => (place % 4 < 3 ? change() : read())));
      expect(new Set(answers.map(({ status, body }) => `${status}: ${body.notes?.length} notes`))).toEqual(
        new Set(["200: 30 notes"]),
      );
    },
  }),
  row({
    name: "a contact of another location of the same workspace is not found",
    given: givenContact,
    send: (world, given) => ["GET", `/contacts/${given.id}?location_id=${world.south}`],
    expect: { status: 404 },
  }),
  ...["0", "-1", "abc", "1.5", "99999999", "9007199254740993", "92233720368547758080", "1e3"].map((id) =>
    row({
      name: `the id ${id} is not found`,
      send: (world) => ["GET", `/contacts/${id}?location_id=${world.north}`],
      expect: { status: 404 },
      async afterwards(_world, _given, body) {
        if (JSON.stringify(body) !== '{"error":"contact.not_found"}') throw new Error(JSON.stringify(body));
      },
    }),
  ),
  row({
    name: "a deleted contact is not found",
    async given(world) {
      const contact = await givenContact(world);
      await world.send("owner", "DELETE", `/contacts/${contact.id}`, { location_id: world.north });
      return contact;
    },
    send: (world, given) => ["GET", `/contacts/${given.id}?location_id=${world.north}`],
    expect: { status: 404, exactly: { error: "contact.not_found" } },
  }),
  row({
    name: "shows its conversations in their own shape, newest message first",
    async given(world) {
      const contact = await givenContact(world);
      const first = await givenConversation(world, { contact_id: contact.id });
      world.clock.advance({ seconds: 1 });
      const second = await givenConversation(world, { contact_id: contact.id, body: "Hello" });
      world.clock.advance({ seconds: 1 });
      await handIn(world, await givenChannel(world), { from: contact.email, body: "Hello?" });
      return { contact, older: [second.conversation, first.conversation] };
    },
    send: (world, { contact }) => ["GET", `/contacts/${contact.id}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(world, { older }, { conversations }) {
      const { id } = conversations[0];
      const alone = await made(world.send("owner", "GET", `/conversations/${id}?location_id=${world.north}`));
      expect(conversations).toEqual([alone.conversation, ...older]);
    },
  }),
]);
