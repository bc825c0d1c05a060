/** Totals of texts: remembered ones, and those counted by the text index, are what plain code counts at every moment. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { followedContacts } from "../../src/crm/contact-texts.follower.ts";
import { createContact, deleteContact, updateContact } from "../../src/crm/contacts/contact.service.ts";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { planFilters } from "../../src/crm/contacts/list/contact.list-plan.ts";
import { countByIndex } from "../../src/crm/contacts/list/counting/indexed-count.ts";
import { beginTotal } from "../../src/crm/contacts/list/counting/remembered-totals.ts";
import { contactColumns } from "../../src/crm/contacts/list/contact.filter-fields.ts";
import { parseFilters } from "../../src/crm/contacts/list/contact.filters.ts";
import { rebuildTexts } from "../../src/crm/text-index/text-index.follower.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { runsOf } from "../support/chance.ts";
import { copyRows } from "../support/copy-rows.ts";
import { databaseKinds } from "../support/databases.ts";
import { stampAll } from "../support/events.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const small = { cap: 4, slack: 2 };
const tiny = { cap: 2, slack: 1 };
const contains = (value: string) => [{ field: "last_name", op: "contains", value }];

describe.each(databaseKinds)("totals on %s", (kind) => {
  let world: World;
  let north: Caller<LocationContext>;
  let south: Caller<LocationContext>;
  beforeAll(async () => {
    world = await createWorld(kind);
    north = await world.service.inLocation(world.acme, world.north);
    south = await world.service.inLocation(world.acme, world.south);
  });
  afterAll(() => world?.close());

  const conditionsOf = (value: string) =>
    planFilters(parseFilters(contains(value), "filters"), contactColumns(north.location));

  async function countPlainly(caller: Caller<LocationContext>, value: string): Promise<number> {
    const names = await caller.rows<{ last_name: string }>(
      "select last_name from contacts where location_id = ? and deleted_at is null",
      [caller.location.id],
    );
    return names.filter(({ last_name: name }) => name.toLowerCase().includes(value)).length;
  }

  const step = fc.record({
    what: fc.constantFrom("create", "create", "rename", "delete", "delete", "stamp", "elsewhere"),
    which: fc.nat(20),
    name: fc.constantFrom("Opper", "Hopper", "Knuth"),
  });

  test("remembered totals are exact after each change", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50 }), async (steps) => {
        await world.service.database.transaction(({ rows }) =>
          rows("update contacts set deleted_at = last_activity_at, external_ref = null where deleted_at is null"),
        );
        const text = "opper";
        const conditions = conditionsOf(text);
        // Of each run its own, since what is above raises no event.
        const mark = Math.random();
        const ids: number[] = [];
        for (const { what, which, name } of steps) {
          const id = ids[which % Math.max(1, ids.length)];
          if (what === "create")
            ids.push((await north.change((change) => createContact(change, { last_name: name }))).id);
          else if (what === "elsewhere") await south.change((change) => createContact(change, { last_name: name }));
          else if (what === "stamp") await stampAll(world.service.database);
          else if (id !== undefined && what === "rename")
            await north.change((change) => updateContact(change, id, { last_name: name, first_name: String(which) }));
          else if (id !== undefined) {
            await north.change((change) => deleteContact(change, id));
            ids.splice(ids.indexOf(id), 1);
          }
          const findTotal = await beginTotal(north, { ...conditions, params: [...conditions.params, mark] }, tiny);
          const total = await findTotal(async (most) => Math.min(await countPlainly(north, text), most));
          expect(total).toBe(Math.min(await countPlainly(north, text), tiny.cap));
        }
      }),
      runsOf(`remembered totals on ${kind}`, 10, 200),
    );
  });

  test("a change between the page and its count, which includes the page, is counted again", async () => {
    const key = { ...conditionsOf("ruby"), params: ["ruby", Math.random()] };
    await stampAll(world.service.database);
    const ofFirst = await beginTotal(north, key, small);
    await north.change((change) => createContact(change, { last_name: "Other" }));
    await stampAll(world.service.database);
    expect(await ofFirst(async () => 1)).toBe(1);
    expect(await (await beginTotal(north, key, small))(async () => 2)).toBe(2);
  });

  test("a total is not counted again until as many events came as it was counted beyond the cap", async () => {
    const key = { ...conditionsOf("perl"), params: ["perl", Math.random()] };
    let counts = 0;
    const ask = async () => {
      const findTotal = await beginTotal(north, key, small);
      const total = await findTotal(async (most) => ((counts += 1), most));
      return [total, counts];
    };
    await stampAll(world.service.database);
    expect(await ask()).toEqual([4, 1]);
    expect(await ask()).toEqual([4, 1]);
    const make = () => north.change((change) => createContact(change, { last_name: "Other" }));
    await make();
    // Counted beyond the cap now, by two.
    expect(await ask()).toEqual([4, 2]);
    await stampAll(world.service.database);
    await make();
    expect(await ask()).toEqual([4, 2]);
    await make();
    await make();
    expect(await ask()).toEqual([4, 3]);
  });

  test("the text index counts what it has, and what changed since, in slices", { timeout: 120_000 }, async () => {
    const { database } = world.service;
    const made = await south.change((change) => createContact(change, { last_name: "Lindquist" }));
    await database.transaction(({ rowsOnce }) =>
      copyRows(
        rowsOnce,
        "contacts",
        `id = ${made.id}`,
        { external_ref: "null", last_activity_at: "last_activity_at" },
        5999,
      ),
    );
    await database.transaction(({ rowsOnce }) =>
      copyRows(
        rowsOnce,
        "contacts",
        `id = ${made.id}`,
        {
          external_ref: "null",
          // Candidates that do not match: they have its trigrams.
          last_name: "'Quis uist'",
          last_name_key: "'quis uist'",
        },
        14_000,
      ),
    );
    await database.transaction(({ rows }) =>
      rows("insert into contact_counts (location_id, delta) values (?, 19999)", [world.south]),
    );
    await stampAll(database);
    for (const texts of followedContacts)
      await rebuildTexts(database, texts, { signal: AbortSignal.any([]), progress: () => {} });
    const ids = await south.rows<{ id: number }>(
      "select id from contacts where location_id = ? and last_name = 'Lindquist' order by id limit 3",
      [world.south],
    );
    // The index has not followed these.
    await south.change((change) => deleteContact(change, ids[0]!.id));
    await south.change((change) => updateContact(change, ids[1]!.id, { last_name: "Hoare" }));
    await south.change((change) => createContact(change, { last_name: "Nyquist" }));
    const total = await countPlainly(south, "quist");
    const { texts, params, ...planned } = planFilters(
      parseFilters(contains("quist"), "filters"),
      contactColumns(south.location),
    );
    let slices = 0;
    const counted = await countByIndex(
      south,
      { ...planned, texts, params },
      {
        most: 10_000,
        scanned: 100,
        turn: (work) => ((slices += 1), work()),
        async countAmong(among) {
          const [found] = await south.rowsOnce<{ count: number }>(
            `select count(*) as count from contacts where id in (${(JSON.parse(among) as number[]).join()}) and deleted_at is null and last_name_key like '%quist%'`,
          );
          return Number(found!.count);
        },
      },
    );
    expect({ counted, slices }).toEqual({ counted: total, slices: kind === "sqlite" ? 5 : 1 });
    const page = await listContacts(south, { filters: JSON.stringify(contains("quist")), limit: 1 });
    expect(page.total).toBe(total);
  });
});
