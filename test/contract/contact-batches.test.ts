/** A batch takes a constant number of statements, and a contact shows the newest hundred of each of its lists. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContact, deleteContact } from "../../src/crm/contacts/contact.service.ts";
import { getContact } from "../../src/crm/contacts/contact.queries.ts";
import { writeContacts } from "../../src/crm/contacts/write/contact.write.ts";
import { addNote } from "../../src/crm/notes/note.service.ts";
import type { Caller, Change, LocationContext } from "../../src/events/caller.ts";
import type { SqlText } from "../../src/storage/sql-text.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  let caller: Caller<LocationContext>;
  beforeAll(async () => {
    world = await createWorld(kind);
    caller = await world.service.inLocation(world.acme, world.north);
  });
  afterAll(() => world?.close());

  /** Counts the statements of `work`, including events; the reservation of ids counts as part of its insert. */
  function statementsOf(work: (change: Change<LocationContext>) => Promise<unknown>): Promise<number> {
    return caller.change(async (change) => {
      let statements = 0;
      // An empty statement is not sent.
      const count = (text: string | SqlText) => {
        if ((typeof text === "string" ? text : text[kind]) !== "") statements += 1;
      };
      const counted = Object.create(change, {
        rows: { value: (...sent: Parameters<Change["rows"]>) => (count(sent[0]), change.rows(...sent)) },
        rowsOnce: { value: (...sent: Parameters<Change["rowsOnce"]>) => (count(sent[0]), change.rowsOnce(...sent)) },
        send: { value: (...sent: Parameters<Change["send"]>) => (count(sent[0]), change.send(...sent)) },
        sendOnce: { value: (...sent: Parameters<Change["sendOnce"]>) => (count(sent[0]), change.sendOnce(...sent)) },
        raise: { value: (...sent: Parameters<Change["raise"]>) => ((statements += 1), change.raise(...sent)) },
        record: { value: (...sent: Parameters<Change["record"]>) => ((statements += 1), change.record(...sent)) },
      }) as Change<LocationContext>;
      await work(counted);
      return statements;
    });
  }

  const people = (count: number, city: string) =>
    Array.from({ length: count }, (_, n) => ({
      email: `batch.${n}@x.com`,
      phone: `212555${String(1000 + n)}`,
      external_ref: `batch ${n}`,
      owner_user_id: n % 2 ? world.users.nora : world.users.olga,
      city,
    }));

  test("two hundred upserts take as many statements as two", async () => {
    const two = await statementsOf((change) => writeContacts(change, people(2, "Rome"), "upsert"));
    const created = await statementsOf((change) => writeContacts(change, people(200, "Rome"), "upsert"));
    const updated = await statementsOf((change) => writeContacts(change, people(200, "Oslo"), "upsert"));
    expect(created - two).toBeLessThanOrEqual(1); // two of the two hundred are updated by now
    expect(updated).toBeLessThanOrEqual(created);
    expect(created).toBeLessThanOrEqual(8);
  });

  test("creating one contact takes three statements: the contact, its event and the count", async () => {
    const locks = kind === "postgres" ? 1 : 0;
    expect(await statementsOf((change) => createContact(change, { first_name: "A", email: "one@x.com" }))).toBe(
      3 + locks,
    );
  });

  test("deleting a contact without neighbours takes six statements", async () => {
    const { id } = await caller.change((change) => createContact(change, { first_name: "Gone" }));
    expect(await statementsOf((change) => deleteContact(change, id))).toBe(6);
  });

  test("the newest hundred notes and activities, newest first", async () => {
    const { id } = await caller.change((change) => createContact(change, { first_name: "Noted" }));
    await caller.change(async (change) => {
      for (let n = 1; n <= 105; n++) await addNote(change, id, { body: `Note ${n}` });
    });
    const { notes, activities } = await getContact(caller, id);
    expect(notes.map(({ body }) => body)).toEqual(Array.from({ length: 100 }, (_, n) => `Note ${105 - n}`));
    expect(activities.length).toBe(100);
    expect(activities.map((activity) => activity.id)).toEqual(
      activities.map((activity) => activity.id).toSorted((a, b) => b - a),
    );
  });
});
