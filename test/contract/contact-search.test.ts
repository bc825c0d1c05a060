/** GET /contacts?search=: text search for contacts, the same results on both databases. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { createContact } from "../../src/crm/contacts/contact.service.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { operatorOf } from "../../src/operation/callers.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const people = {
  ada: { first_name: "Ada", last_name: "Lovelace", email: "Ada@Engines.example", phone: "(415) 555-2671" },
  grace: { first_name: "Grace", last_name: "Hopper", email: "grace@navy.example", phone: "+49 30 1234567" },
  athena: { first_name: "Ἀθηνᾶ", last_name: "Παλλάς", phone: "212-555-0142 x12" },
  ohara: { first_name: "O'Hara & Söhne", last_name: "50%", phone: "ask for 12345" },
};
type Name = keyof typeof people;

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  let caller: Caller<LocationContext>;
  const ids = new Map<number, Name>();
  beforeAll(async () => {
    world = await createWorld(kind);
    caller = await world.service.inLocation(world.acme, world.north);
    for (const [name, input] of Object.entries(people)) {
      const { id } = await caller.change((change) => createContact(change, input));
      ids.set(id, name as Name);
    }
  });
  afterAll(() => world?.close());

  async function find(search: string, where = caller): Promise<(Name | undefined)[]> {
    const { data, total } = await listContacts(where, { search });
    expect(total).toBe(data.length);
    return data.map(({ id }) => ids.get(id)).toSorted();
  }

  test.each<[search: string, found: Name[]]>([
    ["ada", ["ada"]],
    ["LOVELACE", ["ada"]],
    ["lovelace ada", ["ada"]],
    [" Ada   Lovelace ", ["ada"]],
    ["ada hopper", []],
    ["engines.example", ["ada"]],
    ["ADA@engines.example", ["ada"]],
    ["ace ada", ["ada"]],
    ["ace", ["ada", "grace"]],
    ["παλλάς", ["athena"]],
    ["ΠΑΛΛΆΣ", ["athena"]],
    ["SÖHNE", ["ohara"]],
    ["o'hara &", ["ohara"]],
    ["50%", ["ohara"]],
    ["(415) 555-2671", ["ada"]],
    ["+1 415 555 2671", ["ada"]],
    ["415.555.2671", ["ada"]],
    ["5552671", ["ada"]],
    ["555-26", ["ada"]],
    ["0049 30 1234567", ["grace"]],
    ["030 1234567", ["grace"]],
    ["2125550142", ["athena"]],
    ["12345", ["grace", "ohara"]],
    ["ada 415", ["ada"]],
    ["grace 415", []],
    ["26", []],
    ["0%", []],
    ["50", ["ohara"]],
    ["lo", ["ada"]],
    ["LO ad", ["ada"]],
    ["ov", []],
    ["gr", ["grace"]],
    ["&", ["ohara"]],
    ["παλ", ["athena"]],
    ["Πα", ["athena"]],
    ["%", []],
    ["_", []],
    ["\\", []],
    ["nobody", []],
    ["a b c d e f g h i j", []],
  ])("%j finds %j", async (search, found) => {
    expect(await find(search)).toEqual(found);
  });

  test("a phone number is parsed with the country of the location", async () => {
    const { id, timezone } = caller.location;
    const berlin = world.service.callAs({ ...operatorOf(world.acme), location: { id, timezone, country: "DE" } });
    expect(await find("030/1234567", berlin)).toEqual(["grace"]);
  });

  test("search and filters are combined", async () => {
    const { data } = await listContacts(caller, { search: "ace", filters: '{"last_name": "Hopper"}' });
    expect(data.map(({ first_name }) => first_name)).toEqual(["Grace"]);
  });
});
