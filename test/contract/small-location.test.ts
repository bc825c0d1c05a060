/**
 * On PostgreSQL, what a small location is shown is found without reading the rows of a large one beside it, and what a large one is shown without reading
 * its rows before that, whatever the planner expects: it plans for any location here, of which the small one is one in three.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { positionBefore } from "../../src/crm/event-log/event.queries.ts";
import { readMissed } from "../../src/pages/live/log-changes.ts";
import { readExportPage } from "../../src/crm/contacts/transfer/contact.export.ts";
import { createLocationRotation } from "../../src/events/following/location-marks.ts";
import { watchDeliveries } from "../../src/webhooks/deliveries/delivery-changes.ts";
import { pruneDeliveries } from "../../src/webhooks/sending/cleanup.ts";
import { seedContacts } from "../bench/seed.ts";
import { givenContact } from "../support/given.ts";
import { givenHook } from "../support/given-hooks.ts";
import { indexPagesReadDuring, rowsReadDuring } from "../support/rows-read.ts";
import { createWorld } from "../support/world.ts";
import type { Asker, World } from "../support/world.ts";

const contacts = 4000;
const events = 200_000;
const lastPosition = 100_000 + events;
/** The most rows read of any table that belongs to locations. */
const most = 1000;
/** The most pages read of any index; the one of the events of a location has 440. */
const mostPages = 200;

let world: World;
/** A webhook beside two that have many. */
let fewDeliveries = 0;
beforeAll(async () => {
  world = await createWorld("postgres", { quiet: true });
  const { database } = world.service;
  const run = async (text: string) => void (/^(begin|commit|vacuum)/.test(text) || (await database.rowsOnce(text)));
  const connection = {
    dialect: "postgres",
    run,
    rows: (text: string) => database.rowsOnce<never>(text),
    close: async () => {},
  } as const;
  const { nora, olga } = world.users;
  const until = world.clock.now().getTime() - 60_000;
  const large = {
    workspaceId: world.acme,
    firstLocation: world.south,
    locations: 1,
    contacts,
    owners: [nora],
    rareOwner: olga,
    until,
  };
  await seedContacts(connection, large);
  const [west] = await database.rows<{ id: number }>(
    "insert into locations (workspace_id, name, country, timezone, created_at, updated_at) select workspace_id, 'West', country, timezone, created_at, updated_at from locations where id = ? returning id",
    [world.south],
  );
  await database.rowsOnce("update contacts set location_id = ? where id % 2 = 0", [west!.id]);
  await database.rowsOnce("cluster contacts using contacts_pkey");
  // Rows of two locations by turns, so that those of one lie apart, as in service. Of these events nothing but their positions is there.
  await database.rowsOnce(
    `insert into event_positions (position, event_id, workspace_id, location_id)
     select 100000 + n, 100000 + n, ?, case when hashint8(n) & 1 = 1 then cast(? as bigint) else cast(? as bigint) end from generate_series(1, ${events}) as n`,
    [world.acme, world.south, west!.id],
  );
  await database.rowsOnce(`update event_log set last_position = ${lastPosition}`);
  await database.rowsOnce(`update event_marks set position = ${lastPosition}`);
  const hooks = await Promise.all([1, 2, 3].map(() => givenHook(world, { event: "contact.created" })));
  await database.rowsOnce(
    `insert into deliveries (hook_id, event_id, state, created_at)
     select case when hashint8(events.id) & 1 = 1 then cast(? as bigint) else cast(? as bigint) end, events.id, 'failed', created_at
     from events cross join generate_series(1, 4) as n order by n, events.id`,
    [hooks[0]!.id, hooks[1]!.id],
  );
  fewDeliveries = hooks[2]!.id;
  // One without any.
  await givenHook(world, { event: "note.added" });
  for (let made = 0; made < 10; made++) await givenContact(world);
  await world.service.worker.runOnce();
  await database.rowsOnce("analyze");
  const [{ name } = { name: "" }] = await database.rowsOnce<{ name: string }>("select current_database() as name");
  await database.rowsOnce(`alter database "${name}" set plan_cache_mode = force_generic_plan`);
});
afterAll(() => world?.close());

const asked =
  (path: () => string, as: Asker = "northOnly") =>
  async () => {
    const { status, text } = await world.send(as, "GET", path());
    expect([status, text.length > 2]).toEqual([200, true]);
  };
const inNorth = () => world.service.inLocation(world.acme, world.north);

test.each<[string, () => Promise<unknown>]>([
  ["the events from the first one on", asked(() => "/events?after=0")],
  ["some of the events", asked(() => "/events?after=0&event=note.added&limit=5")],
  ["the end of the log", asked(() => "/events?after=latest")],
  ["the last events of the console", async () => positionBefore(await inNorth(), { limit: 50 })],
  [
    "what a page missed",
    async () => readMissed(world.service.database, world.north, { after: 0, until: 1e9, most: 100 }),
  ],
  [
    "the next events of the locations",
    async () => createLocationRotation().next(world.service.database, 0, new Map(), new Set([world.south])),
  ],
  ["possible duplicates", asked(() => `/contacts/duplicates?location_id=${world.north}`)],
  ["deliveries of a webhook", asked(() => `/hooks/${fewDeliveries}/deliveries`, "owner")],
  ["its failed deliveries", asked(() => `/hooks/${fewDeliveries}/deliveries?state=failed`, "owner")],
  [
    "which webhooks of a workspace have new deliveries",
    async () => watchDeliveries(world.service.database)([world.acme]),
  ],
  ["an export", async () => readExportPage(await inNorth(), 0)],
  ["a list", asked(() => `/contacts?location_id=${world.north}`)],
])("%s", async (_what, read) => {
  const tables = await rowsReadDuring(world, read);
  expect(tables.filter(([, count]) => count > most)).toEqual([]);
});

test.each<[string, () => Promise<unknown>]>([
  ["the last events of the log", asked(() => `/events?after=${lastPosition - 20}`, "owner")],
  [
    "what a page missed",
    async () => readMissed(world.service.database, world.south, { after: lastPosition - 20, until: 1e9, most: 100 }),
  ],
])("of a large location or workspace, %s", async (_what, read) => {
  const indexes = await indexPagesReadDuring(world, read);
  expect(indexes.filter(([, count]) => count > mostPages)).toEqual([]);
});

test("old deliveries are deleted without reading those that stay", async () => {
  const { database } = world.service;
  await database.rowsOnce(
    "update deliveries set created_at = '2000-01-01' where id in (select id from deliveries order by id limit 10)",
  );
  const [{ name } = { name: "" }] = await database.rowsOnce<{ name: string }>("select current_database() as name");
  // The planner takes the order of ids, as of a table that has many old ones or was never analyzed.
  await database.rowsOnce(`alter database "${name}" set enable_sort = off`);
  const prune = () => pruneDeliveries(database, new Date("2001-01-01"));
  const tables = await rowsReadDuring(world, async () => expect(await prune()).toBe(10));
  expect(tables.filter(([, count]) => count > 2 * most)).toEqual([]);
});
