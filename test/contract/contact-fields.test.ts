/** Every field of a contact through every write path: a field that a path forgets fails here by name. */
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contactFieldNames } from "../../src/crm/contacts/contact.fields.ts";
import type { ContactField } from "../../src/crm/contacts/contact.fields.ts";
import { exportContacts, toCsv } from "../../src/crm/contacts/transfer/contact.export.ts";
import { importContacts } from "../../src/crm/contacts/transfer/contact.import.ts";
import { readCsvFile } from "../../src/crm/contacts/transfer/csv-file.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

type Value = string | number | boolean;

/** Unique identifying values for each contact of this file. */
let serial = 0;
const nextPhone = (): string => `(212) 555-${String(++serial).padStart(4, "0")}`;

/** Two values of each field, as sent and as returned. */
const specimens = ({ users }: World) =>
  ({
    first_name: ["Ada", "Grace"],
    last_name: ["Lovelace", "Hopper"],
    email: [`ada.${++serial}@x.example`, `grace.${serial}@x.example`],
    phone: [nextPhone(), nextPhone()],
    company: ["Analytical Engines", "Navy"],
    source: ["referral", "website"],
    interest: ["Mills", "Compilers"],
    address1: ["1 Main Street", "2 High Street"],
    city: ["London", "Arlington"],
    state: ["NY", "VA"],
    zip: ["10001", "22201"],
    timezone: ["Europe/London", "America/New_York"],
    dnd: [true, false],
    owner_user_id: [users.nora, users.olga],
    external_ref: [`engine ${++serial}`, `compiler ${serial}`],
  }) as const satisfies Record<ContactField, readonly [Value, Value]>;

/** The name of the field in responses. */
function shown(contact: Record<string, unknown>, field: ContactField): unknown {
  if (field === "phone") return contact["phone_display"];
  return field === "owner_user_id" ? (contact["owner"] as { id: number } | null)?.id : contact[field];
}

describe.each(databaseKinds)("a contact on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  /** The other required fields, and two ways to find the contact again if one of them is the field itself. */
  const person = () => ({
    location_id: world.north,
    first_name: "N",
    last_name: "N",
    email: `n.${++serial}@x.example`,
    phone: nextPhone(),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- the parsed body, looked into freely
  const answer = async (method: string, path: string, body?: object): Promise<any> => {
    const { status, body: answered } = await world.send("owner", method, path, body);
    expect({ status, answered }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 300) });
    return answered;
  };
  const read = (id: number) => answer("GET", `/contacts/${id}?location_id=${world.north}`);
  const found = async (filters: object): Promise<number[]> => {
    const query = new URLSearchParams({ location_id: String(world.north), filters: JSON.stringify(filters) });
    return ((await answer("GET", `/contacts?${query}`)) as { data: { id: number }[] }).data.map(({ id }) => id);
  };

  describe.each(contactFieldNames)("%s", (field) => {
    test("is returned and found after creation, and its change is in the event", async () => {
      const [first, second] = specimens(world)[field];
      const { id } = await answer("POST", "/contacts", { ...person(), [field]: first });
      expect(shown(await read(id), field)).toBe(first);
      expect(await found({ [field]: first })).toContain(id);
      expect(await found({ [field]: second })).not.toContain(id);

      const { events } = await world.eventsDuring(() =>
        answer("PATCH", `/contacts/${id}`, { location_id: world.north, [field]: second }),
      );
      expect(events.map(({ event, changes }) => ({ event, changes }))).toEqual([
        { event: "contact.updated", changes: [{ field, old: first, new: second }] },
      ]);
      expect(shown(events[0]!.data, field)).toBe(second);
      expect(shown(await read(id), field)).toBe(second);
      expect(await found({ [field]: second })).toContain(id);
    });

    test("is set by upserts, alone and in bulk", async () => {
      const [first, second] = specimens(world)[field];
      const one = { ...person(), [field]: first };
      const { contact, created } = await answer("POST", "/contacts/upsert", one);
      expect([created, shown(contact, field)]).toEqual([true, first]);

      const changed = await answer("POST", "/contacts/upsert", { ...one, [field]: second });
      expect([changed.created, changed.contact.id, shown(changed.contact, field)]).toEqual([false, contact.id, second]);

      // Updating two contacts uses a different statement than updating one.
      const neighbour = person();
      await answer("POST", "/contacts", neighbour);
      const contacts = [one, { ...neighbour, last_name: "Neighbour" }];
      const bulk = await answer("POST", "/contacts/bulk", { location_id: world.north, contacts });
      expect(bulk.data).toMatchObject([{ status: 200, id: contact.id }, { status: 200 }]);
      expect(shown(await read(contact.id), field)).toBe(first);
    });
  });

  test("is exported with every field, and imported again with each of them", async () => {
    const south = await world.service.inLocation(world.acme, world.south);
    const values = Object.fromEntries(Object.entries(specimens(world)).map(([field, [first]]) => [field, first]));
    const given = { ...values, location_id: world.south, owner_user_id: world.users.olga };
    const { id } = await answer("POST", "/contacts", given);
    await using folder = await mkdtempDisposable(join(tmpdir(), "crm-fields-"));
    const file = join(folder.path, "contacts.csv");
    await writeFile(file, toCsv(exportContacts(south)));
    await answer("DELETE", `/contacts/${id}`, { location_id: world.south });

    // The external_ref of a deleted contact stays reserved.
    const text = (await readFile(file, "utf8")).replaceAll(String(values["external_ref"]), "imported");
    await writeFile(file, text);
    expect(await importContacts(south, readCsvFile(file))).toMatchObject({ created: 1, refused: [] });
    const expected = { ...values, owner_user_id: world.users.olga, external_ref: "imported" };
    for await (const contact of exportContacts(south)) {
      expect(Object.fromEntries(contactFieldNames.map((field) => [field, shown({ ...contact }, field)]))).toEqual(
        expected,
      );
    }
  });
});
