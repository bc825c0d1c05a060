/** What lists of contacts leave prepared on a PostgreSQL connection: what is asked for again and again, and nothing without end. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { createContact } from "../../src/crm/contacts/contact.service.ts";
import type { Change, Place } from "../../src/events/caller.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const people = ["ada", "bob", "cy"];

let world: World;
beforeAll(async () => {
  world = await createWorld("postgres");
  const north = await world.service.inLocation(world.acme, world.north);
  for (const name of people) {
    await north.change((change) => createContact(change, { first_name: name, email: `${name}@x.com`, phone: "1" }));
  }
});
afterAll(() => world?.close());

const runs =
  "select name, cast(generic_plans + custom_plans as int) as runs from pg_prepared_statements order by prepare_time";

/** How often each prepared statement ran while the lists were asked for one after the other. */
async function preparedRuns(lists: readonly unknown[]): Promise<number[]> {
  const north = await world.service.inLocation(world.acme, world.north);
  // A change keeps one connection.
  return north.change(async (change: Change<Place>) => {
    const before = new Map((await readRuns(change)).map((statement) => [statement.name, statement.runs]));
    for (const filters of lists) await listContacts(change, { filters: JSON.stringify(filters) });
    const after = await readRuns(change);
    return after.map(({ name, runs: now }) => now - (before.get(name) ?? 0)).filter((more) => more > 0);
  });
}

const readRuns = (change: Change): Promise<{ name: string; runs: number }[]> => change.rowsOnce(runs);

test.each([
  ["an e-mail address", people.map((name) => [{ field: "email", op: "eq", value: `${name}@x.com` }])],
  ["the same in shorthand", people.map((name) => ({ email: `${name}@x.com` }))],
  ["a city", people.map((name) => ({ city: name }))],
  ["whether somebody wants no mail", [{ dnd: true }, { dnd: false }, { dnd: true }]],
])("one filter by %s is one statement, prepared once", async (_name, lists) => {
  expect(await preparedRuns(lists)).toEqual([lists.length]);
});

test.each([
  ["several conditions", { city: "Boston", dnd: false }],
  ["one of several", [{ any: [{ field: "city", op: "eq", value: "Boston" }] }, { field: "id", op: "gt", value: 0 }]],
  ["lists of any length", [{ field: "email", op: "in", value: ["ada@x.com", "bob@x.com"] }]],
  ["parts of a name", [{ field: "name", op: "contains", value: "a" }]],
])("filters by %s leave nothing prepared", async (_name, filters) => {
  expect(await preparedRuns([filters, filters])).toEqual([]);
});
