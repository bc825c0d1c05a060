/** Concurrent changes, through two instances of the service on one database, like two processes. */
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compactCounts } from "../../src/crm/contacts/contact-counts.ts";
import { getRecordRow } from "../../src/crm/contacts/contact.queries.ts";
import { addContactTag } from "../../src/crm/contacts/contact-tags.service.ts";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { getContact } from "../../src/crm/contacts/contact.queries.ts";
import { createContact, deleteContact, updateContact, upsertContact } from "../../src/crm/contacts/contact.service.ts";
import { writeContacts } from "../../src/crm/contacts/write/contact.write.ts";
import { addNote } from "../../src/crm/notes/note.service.ts";
import { createTag } from "../../src/crm/tags/tag.service.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { Invalid, Refusal } from "../../src/vocabulary/errors.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("contacts on %s", (kind) => {
  let world: World;
  let other: Service;

  beforeAll(async () => {
    world = await createWorld(kind);
    other = await openService(world.service.settings, { log: createConsola({ level: 1 }), clock: world.clock });
  });
  afterAll(async () => {
    await other?.close();
    await world?.close();
  });

  /** A fresh location, seen through both instances. */
  async function freshLocation(): Promise<readonly [Caller<LocationContext>, Caller<LocationContext>]> {
    const inAcme = world.service.inWorkspace(world.acme);
    const { id } = await inAcme.change((change) => openLocation(change, { name: "Busy" }));
    return Promise.all([world.service.inLocation(world.acme, id), other.inLocation(world.acme, id)]);
  }

  const total = async (caller: Caller<LocationContext>): Promise<number> => (await listContacts(caller, {})).total;

  test("twenty-four concurrent upserts of one person create one contact", async () => {
    const scopes = await freshLocation();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        scopes[n % 2 ? 0 : 1]!.change((change) =>
          // By e-mail, by phone, or by both: the first has both, and later ones at least one.
          upsertContact(
            change,
            n % 3 === 0 ? { email: "one@x.com", phone: "2125550101" } : { email: "one@x.com", city: `City ${n}` },
          ),
        ),
      ),
    );
    const results = answers.map(({ upserted }) => upserted);
    expect(results.filter(({ created }) => created).length).toBe(1);
    expect(new Set(results.map(({ contact }) => contact.id)).size).toBe(1);
    expect(await total(scopes[0])).toBe(1);
  });

  test("batches with the same people in opposite orders cause neither deadlocks nor duplicates", async () => {
    const scopes = await freshLocation();
    const people = Array.from({ length: 40 }, (_, n) => ({ email: `p${n}@x.com`, phone: `21255501${String(10 + n)}` }));
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const inputs = (n % 2 ? people : people.toReversed()).map((person) => ({ ...person, city: `City ${n}` }));
        return scopes[n % 4 < 2 ? 0 : 1]!.change((change) => writeContacts(change, inputs, "upsert"));
      }),
    );
    expect(outcomes.flat().filter(({ outcome }) => outcome === "created").length).toBe(people.length);
    expect(outcomes.flat().some(({ outcome }) => outcome === "refused")).toBe(false);
    expect(await total(scopes[0])).toBe(people.length);
  });

  test("of fifty changes with the same external_ref one succeeds", async () => {
    const scopes = await freshLocation();
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        scopes[n % 2 ? 0 : 1]!.change((change) =>
          createContact(change, { first_name: `N ${n}`, external_ref: `wanted ${scopes[0].location.id}` }),
        ),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled").length).toBe(1);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toBeInstanceOf(Invalid);
  });

  test("concurrent changes of one contact all succeed, in the order of their events", async () => {
    const scopes = await freshLocation();
    const { id } = await scopes[0].change((change) =>
      createContact(change, { first_name: "Busy", email: "busy@x.com" }),
    );
    const tag = await scopes[0].change((change) => createTag(change, { name: `Busy ${id}`, color: null }));
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        scopes[n % 2 ? 0 : 1]!.change(async (change) => {
          if (n % 4 === 0) await addNote(change, id, { body: `Note ${n}` });
          else if (n % 4 === 1) await addContactTag(change, id, { tag_id: tag.id, name: null }, getRecordRow);
          else if (n % 4 === 2) await updateContact(change, id, { external_ref: `busy ${id} ${n}`, city: `City ${n}` });
          else await upsertContact(change, { email: "busy@x.com", interest: `Interest ${n}` });
        }),
      ),
    );
    const contact = await getContact(scopes[0], id);
    expect(contact.notes.length).toBe(15);
    expect(contact.tags.map((applied) => applied.id)).toEqual([tag.id]);
    const kinds = contact.activities.map(({ kind: event }) => event);
    const count = (event: string): number => kinds.filter((found) => found === event).length;
    expect([count("note.added"), count("contact.tag_added"), count("contact.updated")]).toEqual([15, 1, 30]);
    // The old values of each event are the new values of the previous one: no lost updates.
    const cities = contact.activities.toReversed().flatMap(({ data }) => data.filter(({ field }) => field === "city"));
    expect(cities.length).toBe(15);
    cities.forEach(({ old }, place) => expect(old).toBe(place === 0 ? null : cities[place - 1]!.new));
  });

  test("a change of a concurrently deleted contact is contact.not_found", async () => {
    const [caller] = await freshLocation();
    const { id } = await caller.change((change) => createContact(change, { first_name: "Gone" }));
    await caller.change((change) => deleteContact(change, id));
    for (const work of [
      () => caller.change((change) => updateContact(change, id, { city: "Rome" })),
      () => caller.change((change) => addNote(change, id, { body: "Too late" })),
      () => caller.change((change) => deleteContact(change, id)),
    ]) {
      await expect(work()).rejects.toThrow(new Refusal("contact.not_found"));
    }
    expect(await total(caller)).toBe(0);
  });

  test("the count is exact while two workers compact it", async () => {
    const scopes = await freshLocation();
    const create = (n: number) =>
      scopes[n % 2 ? 0 : 1]!.change((change) => createContact(change, { first_name: `N ${n}` }));
    const made = await Promise.all(Array.from({ length: 150 }, (_, n) => create(n)));
    const folding = [world.service.database, other.database].map((database) => compactCounts(database));
    const more = Array.from({ length: 60 }, (_, n) => create(n));
    const gone = made.slice(0, 20).map(({ id }) => scopes[0].change((change) => deleteContact(change, id)));
    const [folded] = await Promise.all([Promise.all(folding), ...more, ...gone]);
    expect(Math.max(...folded)).toBeGreaterThan(100);
    expect(await total(scopes[0])).toBe(190);
    // Once more without writers: one row is left, with the same count.
    await Promise.all(Array.from({ length: 100 }, (_, n) => create(n)));
    while ((await compactCounts(world.service.database)) > 0);
    const rows = await scopes[0].rows("select delta from contact_counts where location_id = ?", [
      scopes[0].location.id,
    ]);
    expect(rows).toEqual([{ delta: 290 }]);
    expect(await total(scopes[1])).toBe(290);
  });
});
