/** GET /contacts/{id}/notes */
import { expect } from "vitest";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** A contact whose notes have these bodies, the first one the oldest. */
async function withNotes(world: World, bodies: readonly string[]) {
  const contact = await givenContact(world);
  const notes = [];
  for (const body of bodies) {
    const { body: note } = await world.send("owner", "POST", `/contacts/${contact.id}/notes`, {
      location_id: world.north,
      body,
    });
    notes.push(note);
  }
  return { path: `/contacts/${contact.id}/notes?location_id=${world.north}`, newestFirst: notes.toReversed() };
}

/** The bodies of every page. */
async function walk(world: World, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { status, body } = await world.send("owner", "GET", `${path}&cursor=${encodeURIComponent(cursor)}`);
    expect(status).toBe(200);
    pages.push(body.data.map((note: { body: string }) => note.body));
    cursor = body.next_cursor;
  }
  return pages;
}

const longest = "😀".repeat(limits.noteBody);

contract("listNotes", [
  row({
    name: "returns notes in full, newest first, in the shape of the response to adding one",
    given: (world) => withNotes(world, ["First", longest, "\u0001 Third"]),
    send: (_world, { path }) => ["GET", path],
    expect: { status: 200 },
    async afterwards(world, { path, newestFirst }, body) {
      // A note of maximum length fills a page.
      expect(body.data).toEqual([newestFirst[0]]);
      expect(await walk(world, path)).toEqual([["\u0001 Third"], [longest], ["First"]]);
    },
  }),
  row({
    name: "a page ends before its bodies exceed the size of a page",
    given: (world) =>
      withNotes(
        world,
        ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(limits.noteBody)),
      ),
    send: (_world, { path }) => ["GET", path],
    expect: { status: 200 },
    async afterwards(world, { path }) {
      const pages = await walk(world, path);
      expect(pages.map((page) => page.map((body) => body[0]))).toEqual([["e", "d", "c", "b"], ["a"]]);
      expect(new Set(pages.flat().map(({ length }) => length))).toEqual(new Set([limits.noteBody]));
    },
  }),
  row({
    name: "has 200 notes per page, each exactly once",
    given: (world) =>
      withNotes(
        world,
        Array.from({ length: 201 }, (_, place) => `Note ${place}`),
      ),
    send: (_world, { path }) => ["GET", path],
    expect: { status: 200 },
    async afterwards(world, { path, newestFirst }) {
      const pages = await walk(world, path);
      expect(pages.map(({ length }) => length)).toEqual([200, 1]);
      expect(pages.flat()).toEqual(newestFirst.map(({ body }) => body));
    },
  }),
  row({
    name: "a contact without notes has none",
    given: (world) => withNotes(world, []),
    send: (_world, { path }) => ["GET", path],
    expect: { status: 200, exactly: { data: [], next_cursor: null } },
  }),
  row({
    name: "a cursor of another contact's notes is refused",
    async given(world) {
      const bodies = Array.from({ length: 5 }, () => "x".repeat(limits.noteBody));
      const { path } = await withNotes(world, bodies);
      const { body } = await world.send("owner", "GET", path);
      const other = await withNotes(world, bodies.slice(1));
      return `${other.path}&cursor=${encodeURIComponent(body.next_cursor)}`;
    },
    send: (_world, path) => ["GET", path],
    expect: { status: 422, body: { errors: { cursor: ["The cursor is not one that this list gave out."] } } },
  }),
  row({
    name: "the readonly scope is enough",
    as: "readonly",
    given: (world) => withNotes(world, ["One"]),
    send: (_world, { path }) => ["GET", path],
    expect: { status: 200, body: { data: [{ body: "One" }] } },
  }),
  row({
    name: "the notes of a deleted contact are not found",
    async given(world) {
      const { path } = await withNotes(world, ["One"]);
      const deleted = await world.send("owner", "DELETE", path.replace(/\/notes.*/, ""), { location_id: world.north });
      expect(deleted.status).toBe(204);
      return path;
    },
    send: (_world, path) => ["GET", path],
    expect: { status: 404, exactly: { error: "contact.not_found" } },
  }),
]);
