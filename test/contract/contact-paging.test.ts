/** Walking the list: each contact that was there comes once, in order, whatever is created meanwhile. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import type { ContactListQuery } from "../../src/crm/contacts/list/contact.list.ts";
import { writeContacts } from "../../src/crm/contacts/write/contact.write.ts";
import type { Caller, Place } from "../../src/events/caller.ts";
import { createLocation } from "../../src/tenancy/locations/location.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("the list on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  /** Makes `count` contacts at one moment, and gives their ids. */
  async function make(caller: Caller<Place>, count: number): Promise<number[]> {
    const inputs = Array.from({ length: count }, (_, n) => ({
      first_name: `Contact ${n}`,
      email: "one@x.com",
      city: "Rome",
    }));
    const written = await caller.change((change) => writeContacts(change, inputs, "create"));
    return written.map((one) => (one.outcome === "refused" ? Number.NaN : one.contact.id!));
  }

  test.each([
    ["unfiltered", {}],
    ["by e-mail", { email: "ONE@x.com" }],
    ["filtered", { filters: '{"city":"rome"}' }],
    ["filtered by e-mail", { filters: '{"email":"one@x.com"}' }],
    ["filtered by time", { filters: '[{"field":"updated_at","op":"gte","value":"2026-03-01T00:00:00Z"}]' }],
  ] satisfies [string, ContactListQuery][])("%s", async (_name, query) => {
    const inAcme = world.service.inWorkspace(world.acme);
    await fc.assert(
      fc.asyncProperty(
        // Groups that share one moment, and what is made between the pages: at that same moment, or later.
        fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 1, maxLength: 3 }),
        fc.array(fc.record({ count: fc.integer({ min: 1, max: 30 }), later: fc.boolean() }), { maxLength: 3 }),
        async (groups, between) => {
          const { id } = await inAcme.change((change) => createLocation(change, { name: "Paged" }));
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
            const page = await listContacts(caller, { ...query, cursor });
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
          // The newest first; of one moment the highest id first; nothing twice, nothing skipped, nothing new.
          expect(seen).toEqual(before.toReversed());
        },
      ),
      { numRuns: 12 },
    );
  });

  test.each([199, 200, 201])("of %d contacts the first page tells how many there are", async (count) => {
    const { id } = await world.service
      .inWorkspace(world.acme)
      .change((change) => createLocation(change, { name: "Counted" }));
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
});
