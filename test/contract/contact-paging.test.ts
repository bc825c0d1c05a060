/** Paging through the list: each existing contact appears exactly once, in order, whatever is created in the meantime. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Bounds } from "../../src/crm/contacts/list/contact.list-slices.ts";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import type { ContactListQuery } from "../../src/crm/contacts/list/contact.list.ts";
import type { ContactListView } from "../../src/crm/contacts/contact.view.ts";
import { writeContacts } from "../../src/crm/contacts/write/contact.write.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { fold } from "../../src/kit/text.ts";
import { defineInsert, insertRows } from "../../src/storage/inserting/insert.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("the list on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  /** Creates `count` contacts with the same timestamp, and returns their ids. */
  async function make(caller: Caller<LocationContext>, count: number): Promise<number[]> {
    const inputs = Array.from({ length: count }, (_, n) => ({
      first_name: `Contact ${n}`,
      email: "one@x.com",
      city: "Rome",
    }));
    const written = await caller.change((change) => writeContacts(change, inputs, "create"));
    return written.map((one) => (one.outcome === "refused" ? Number.NaN : one.contact.id!));
  }

  const inRome = { filters: '{"city":"rome"}' };
  const sinceMarch = { filters: '[{"field":"updated_at","op":"gte","value":"2026-03-01T00:00:00Z"}]' };
  const inPieces = { atOnce: 0, piece: 50 };

  test.each<[string, ContactListQuery, Bounds?]>([
    ["unfiltered", {}],
    ["by e-mail", { email: "ONE@x.com" }],
    ["filtered", inRome],
    ["filtered, in pieces", inRome, inPieces],
    ["filtered by e-mail", { filters: '{"email":"one@x.com"}' }],
    ["filtered by time", sinceMarch],
    ["filtered by time, in pieces", sinceMarch, inPieces],
  ])("%s", async (_name, query, bounds) => {
    const inAcme = world.service.inWorkspace(world.acme);
    await fc.assert(
      fc.asyncProperty(
        // Groups with equal timestamps, and contacts created between pages, with the same or a later timestamp.
        fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 1, maxLength: 3 }),
        fc.array(fc.record({ count: fc.integer({ min: 1, max: 30 }), later: fc.boolean() }), { maxLength: 3 }),
        async (groups, between) => {
          const { id } = await inAcme.change((change) => openLocation(change, { name: "Paged" }));
          const caller = await world.service.inLocation(world.acme, id);
          const before: number[] = [];
          for (const count of groups) {
            world.clock.advance({ milliseconds: 1 });
            before.push(...(await make(caller, count)));
          }
          const seen: number[] = [];
          let cursor: string | null = null;
          let made = 0;
          do {
            const page = await listContacts(caller, { ...query, cursor }, bounds);
            expect(page.total).toBe(before.length + made);
            expect(page.data.length).toBeLessThanOrEqual(200);
            if (page.next_cursor !== null) expect(page.data.length).toBe(200);
            seen.push(...page.data.map((contact) => contact.id));
            cursor = page.next_cursor;
            const next = between.shift();
            if (next !== undefined) {
              if (next.later) world.clock.advance({ milliseconds: 1 });
              made += (await make(caller, next.count)).length;
            }
          } while (cursor !== null);
          // Newest first, then highest id first; nothing repeated, skipped or new.
          expect(seen).toEqual(before.toReversed());
        },
      ),
      { numRuns: 12 },
    );
  });

  test.each([199, 200, 201])("the first page of %d contacts has the total", async (count) => {
    const { id } = await world.service
      .inWorkspace(world.acme)
      .change((change) => openLocation(change, { name: "Counted" }));
    const caller = await world.service.inLocation(world.acme, id);
    await make(caller, count);
    for (const query of [{}, { email: "one@x.com" }, { filters: '{"city":"rome","dnd":false}' }]) {
      const { data, total, next_cursor } = await listContacts(caller, query);
      expect({ listed: data.length, total, isLast: next_cursor === null }).toEqual({
        listed: Math.min(count, 200),
        total: count,
        isLast: count <= 200,
      });
    }
  });

  /** Contacts in a new location, with the tags that `namesOf` returns for each. */
  async function tagged(
    namesOf: readonly (readonly string[])[],
  ): Promise<{ caller: Caller<LocationContext>; ids: number[] }> {
    const inAcme = world.service.inWorkspace(world.acme);
    const { id } = await inAcme.change((change) => openLocation(change, { name: "Tagged" }));
    const caller = await world.service.inLocation(world.acme, id);
    const ids = await make(caller, namesOf.length);
    await inAcme.change(async (change) => {
      const names = [...new Set(namesOf.flat())];
      const tags = new Map<string, number>();
      for (const name of names) {
        const [tag] = await change.rows<{ id: number }>(
          "insert into tags (workspace_id, name, name_key, created_at) values (?, ?, ?, ?) returning id",
          [world.acme, name, fold(name), change.now],
        );
        tags.set(name, tag!.id);
      }
      const pairs = namesOf.flatMap((names, place) =>
        names.map((name) => ({ contact_id: ids[place]!, tag_id: tags.get(name)!, created_at: change.now })),
      );
      await insertRows(change, defineInsert("contact_tags", ["contact_id", "tag_id", "created_at"]), pairs);
    });
    return { caller, ids };
  }

  const hundred = (letter: string, length: number) =>
    Array.from({ length: 100 }, (_, place) => `${letter}${place} `.padEnd(length, letter));

  test.each([
    ["of a hundred long tags", Array.from({ length: 12 }, () => hundred("long", limits.tagName)), [10, 2]],
    [
      "of a hundred tags that no other has",
      Array.from({ length: 12 }, (_, place) => hundred(`own${place}`, 0)),
      [10, 2],
    ],
    ["of tags in any number", [["b", "a", "C"], [], ["a"]], [3]],
  ] satisfies [string, string[][], number[]][])(
    "contacts %s are shown with all of them",
    async (_name, names, sizes) => {
      const { caller, ids } = await tagged(names);
      const pages: ContactListView[] = [];
      for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)!.next_cursor) {
        pages.push(await listContacts(caller, { cursor }));
      }
      expect(pages.map(({ data }) => data.length)).toEqual(sizes);
      const listed = pages.flatMap(({ data }) => data).toReversed();
      expect(listed.map(({ id }) => id)).toEqual(ids);
      // In the order of their folded names.
      expect(listed.map(({ tags }) => tags.map(({ name }) => name))).toEqual(
        names.map((some) => some.toSorted((one, other) => (fold(one) < fold(other) ? -1 : 1))),
      );
      expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([ids.length]));
      // The worst case: the longest names, of letters with the most bytes.
      for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(400_000);
    },
  );
});
