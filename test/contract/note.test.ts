/** GET, PATCH and DELETE /contacts/{id}/notes/{noteId} */
import { expect } from "vitest";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
import { givenContact, made } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** A note of a contact, added five minutes ago, and the path of the same note at another contact. */
async function givenNote(world: World, fields: Record<string, unknown> = {}) {
  const [contact, other] = [await givenContact(world), await givenContact(world)];
  const notes = `/contacts/${contact.id}/notes`;
  const body = { location_id: world.north, body: "Call back", pinned: true, ...fields };
  const note = await made(world.send("owner", "POST", notes, body));
  world.clock.advance({ minutes: 5 });
  return { contact, notes, note, path: `${notes}/${note.id}`, elsewhere: `/contacts/${other.id}/notes/${note.id}` };
}

const longBody = "long ".repeat(limits.embeddedNoteBody / 5 + 1).trim();

async function givenDeletedContact(world: World) {
  const given = await givenNote(world);
  await world.send("owner", "DELETE", `/contacts/${given.contact.id}`, { location_id: world.north });
  return given;
}

const notFound = (error: string) => ({ status: 404, exactly: { error } });

contract("getNote", [
  row({
    name: "returns the note as adding it did",
    given: givenNote,
    send: (world, { path }) => ["GET", `${path}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(_world, { note }, body) {
      expect(body).toEqual(note);
    },
  }),
  row({
    name: "returns a long text in full",
    given: (world) => givenNote(world, { body: longBody }),
    send: (world, { path }) => ["GET", `${path}?location_id=${world.north}`],
    expect: { status: 200, body: { body: longBody } },
  }),
  row({
    name: "is not found at another contact",
    given: givenNote,
    send: (world, { elsewhere }) => ["GET", `${elsewhere}?location_id=${world.north}`],
    expect: notFound("note.not_found"),
  }),
  row({
    name: "is not found at a deleted contact",
    given: givenDeletedContact,
    send: (world, { path }) => ["GET", `${path}?location_id=${world.north}`],
    expect: notFound("contact.not_found"),
  }),
]);

contract("updateNote", [
  row({
    name: "changes its text, without an event",
    given: givenNote,
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, body: " Called back " }],
    expect: { status: 200 },
    async afterwards(world, { notes, note }, body) {
      expect(body).toEqual({ ...note, body: "Called back", updated_at: world.clock.now().toISOString() });
      const { body: list } = await world.send("owner", "GET", `${notes}?location_id=${world.north}`);
      expect(list.data).toEqual([body]);
    },
  }),
  row({
    name: "unpins it",
    given: givenNote,
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, pinned: false }],
    expect: { status: 200, body: { body: "Call back", pinned: false } },
  }),
  row({
    name: "a long text becomes short, and short texts become long",
    given: (world) => givenNote(world, { body: longBody }),
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, body: "Short" }],
    expect: { status: 200, body: { body: "Short" } },
    async afterwards(world, { path }) {
      const read = async () => (await world.send("owner", "GET", `${path}?location_id=${world.north}`)).body.body;
      expect(await read()).toBe("Short");
      await world.send("owner", "PATCH", path, { location_id: world.north, body: longBody });
      expect(await read()).toBe(longBody);
    },
  }),
  row({
    name: "without a difference, changes nothing",
    given: givenNote,
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, body: "Call back", pinned: true }],
    expect: { status: 200, body: (_world, { note }) => note },
  }),
  row({
    name: "a text cannot be emptied",
    given: givenNote,
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, body: " " }],
    expect: { status: 422, body: { errors: { body: [expect.any(String)] } } },
  }),
  row({
    name: "is not found at another contact",
    given: givenNote,
    send: (world, { elsewhere }) => ["PATCH", elsewhere, { location_id: world.north, pinned: false }],
    expect: notFound("note.not_found"),
  }),
  row({
    name: "is not found at a deleted contact",
    given: givenDeletedContact,
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, pinned: false }],
    expect: notFound("contact.not_found"),
  }),
]);

contract("deleteNote", [
  row({
    name: "deletes it, and the timeline keeps that it was added",
    given: givenNote,
    send: (world, { path }) => ["DELETE", path, { location_id: world.north }],
    expect: { status: 204 },
    async afterwards(world, { contact, path }) {
      const query = `?location_id=${world.north}`;
      expect(await world.send("owner", "GET", path + query)).toMatchObject({ status: 404 });
      const { body } = await world.send("owner", "GET", `/contacts/${contact.id}${query}`);
      expect(body.notes).toEqual([]);
      expect(body.activities[0].kind).toBe("note.added");
    },
  }),
  row({
    name: "is not found at another contact",
    given: givenNote,
    send: (world, { elsewhere }) => ["DELETE", elsewhere, { location_id: world.north }],
    expect: notFound("note.not_found"),
  }),
]);
