/** The statements that lists of contacts prepare on a PostgreSQL connection: common ones, and never an unbounded number. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { contactColumns } from "../../src/crm/contacts/list/contact.filter-fields.ts";
import { planFilters } from "../../src/crm/contacts/list/contact.list-plan.ts";
import { parseFilters } from "../../src/crm/contacts/list/contact.filters.ts";
import { findRows } from "../../src/crm/contacts/list/contact.list-rows.ts";
import type { Position } from "../../src/storage/keyset/keyset.ts";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { createContact } from "../../src/crm/contacts/contact.service.ts";
import type { Change, LocationContext } from "../../src/events/caller.ts";
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

/** How often each prepared statement ran during the given lists, in sequence. */
async function preparedRuns(lists: readonly unknown[]): Promise<number[]> {
  const north = await world.service.inLocation(world.acme, world.north);
  // A change uses a single connection.
  return north.change(async (change: Change<LocationContext>) => {
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
  ["dnd", [{ dnd: true }, { dnd: false }, { dnd: true }]],
  ["a part of a name", people.map((name) => [{ field: "name", op: "contains", value: name.slice(1) }])],
  ["how a city begins", people.map((name) => [{ field: "city", op: "starts_with", value: name }])],
])("one filter by %s is one statement, prepared once", async (_name, lists) => {
  expect(await preparedRuns(lists)).toEqual([lists.length]);
});

test.each([
  ["several conditions", { city: "Boston", dnd: false }],
  ["one of several", [{ any: [{ field: "city", op: "eq", value: "Boston" }] }, { field: "id", op: "gt", value: 0 }]],
  ["lists of any length", [{ field: "email", op: "in", value: ["ada@x.com", "bob@x.com"] }]],
  ["parts of a name", ["a", "b"].map((value) => ({ field: "name", op: "contains", value }))],
])("filters by %s leave nothing prepared", async (_name, filters) => {
  expect(await preparedRuns([filters, filters])).toEqual([]);
});

test("a filter without an index reads slices by the list's index, instead of the whole table for each slice", async () => {
  const south = await world.service.inLocation(world.acme, world.south);
  const seqScans = "select cast(seq_scan as int) as count from pg_stat_xact_user_tables where relname = 'contacts'";
  await south.change((change) => createContact(change, { first_name: "Ada", last_name: "Lovelace" }));
  // In an order different from that of the rows.
  await world.service.database.rowsOnce(
    `insert into contacts select (jsonb_populate_record(one, jsonb_build_object(
        'id', nextval(pg_get_serial_sequence('contacts', 'id')), 'last_activity_at', one.last_activity_at - number * 7919 % 3001 * interval '1 second'))).*
      from contacts as one, generate_series(1, 3000) as number where location_id = ?`,
    [world.south],
  );
  await world.service.database.rowsOnce("analyze contacts");
  const filters = [{ field: "created_at", op: "lt", value: "2001-01-01T00:00:00Z" }];
  const conditions = planFilters(parseFilters(filters, "filters"), contactColumns(south.location, "few"));
  await south.change(async (change) => {
    // As for a table so large that a sequential scan is expensive.
    await change.rowsOnce("select set_config('random_page_cost', '16', true)");
    const ends = await change.rowsOnce<{ last_activity_at: number; id: number }>(
      `select last_activity_at, id from contacts where location_id = ? order by last_activity_at desc, id desc limit 2 offset 1500`,
      [world.south],
    );
    const [after, until] = ends.map(({ last_activity_at, id }): Position => [last_activity_at, id]);
    const [before] = await change.rowsOnce<{ count: number }>(seqScans);
    expect(await findRows(change, conditions, { after, until }, 201)).toEqual([]);
    const [now] = await change.rowsOnce<{ count: number }>(seqScans);
    expect(now!.count - before!.count).toBe(0);
  });
});

test.each([
  [true, "one owner", { owner_user_id: 1 }],
  [true, "one stage", { stage_id: 1 }],
  [true, "a kind of stages", { stage_kind: "won" }],
  [true, "an open task", { has_open_task: true }],
  [false, "no open task", { has_open_task: false }],
  [false, "one owner and something else", { owner_user_id: 1, dnd: false }],
  [false, "one of two owners", [{ field: "owner_user_id", op: "in", value: [1, 2] }]],
  [
    false,
    "an owner or something else",
    [
      {
        any: [
          { field: "owner_user_id", op: "eq", value: 1 },
          { field: "dnd", op: "eq", value: true },
        ],
      },
    ],
  ],
  [false, "nobody", [{ field: "owner_user_id", op: "is_null", value: true }]],
])("%s: an index in the order of the list finds by itself who has %s", async (inOrder, _name, filters) => {
  const { location } = await world.service.inLocation(world.acme, world.north);
  const conditions = planFilters(parseFilters(filters, "filters"), contactColumns(location, "few"));
  expect(conditions.plan.inOrder).toBe(inOrder);
});
