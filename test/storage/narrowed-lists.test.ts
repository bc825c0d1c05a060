/** Lists by several filters, of which no index answers the combination, are those that plain code finds: random rows, filters, slices and pages. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineNarrowedList } from "../../src/storage/keyset/narrowed.ts";
import type { ListFilter } from "../../src/storage/keyset/narrowed.ts";
import { sql } from "../../src/storage/sql-text.ts";
import { runsOf } from "../support/chance.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

interface Entry {
  readonly id: number;
  readonly time: number;
  readonly operation: string;
  readonly actor: number;
  readonly address: string;
  readonly location: number;
}

const entry = fc.record({
  time: fc.integer({ min: 0, max: 8 }).map((hour) => hour * 3_600_000),
  operation: fc.constantFrom("one", "other"),
  actor: fc.constantFrom(1, 2),
  address: fc.constantFrom("here", "there"),
  location: fc.constantFrom(1, 2),
});
const search = fc.record({
  operation: fc.option(fc.constantFrom("one", "other", "none")),
  actor: fc.option(fc.constantFrom(1, 2, 3)),
  address: fc.option(fc.constantFrom("here", "there")),
  location: fc.option(fc.constantFrom(1, 2, 3)),
  direction: fc.constantFrom("asc" as const, "desc" as const),
  slice: fc.integer({ min: 1, max: 9 }),
  most: fc.integer({ min: 1, max: 7 }),
});
type Search = typeof search extends fc.Arbitrary<infer Value> ? Value : never;

function conditionsOf({ operation, actor, address, location }: Search): ListFilter[] {
  const conditions: ListFilter[] = [{ text: "workspace_id = ?", params: [1], index: "order" }];
  const narrow = (text: string, params: ListFilter["params"], index: ListFilter["index"]) =>
    conditions.push({ text, params, index });
  if (operation !== null) narrow("workspace_id = ? and operation = ?", [1, operation], "order");
  if (actor !== null) narrow("workspace_id = ? and actor_type = ? and actor_id = ?", [1, "user", actor], "order");
  if (address !== null) narrow("audit_entries.address = ?", [address], "other");
  if (location !== null) narrow("location_id = ?", [location], "none");
  return conditions;
}

/** The ids of all matching entries, in the order of the list. */
function idsByPlainCode(entries: readonly Entry[], search: Search): number[] {
  const { operation, actor, address, location, direction } = search;
  const found = entries
    .filter((one) => operation === null || one.operation === operation)
    .filter((one) => actor === null || one.actor === actor)
    .filter((one) => address === null || one.address === address)
    .filter((one) => location === null || one.location === location)
    .toSorted((one, other) => one.time - other.time || one.id - other.id)
    .map(({ id }) => id);
  return direction === "asc" ? found : found.toReversed();
}

const listIn = (direction: Search["direction"]) =>
  defineNarrowedList<{ id: number; created_at: number }>({
    table: "audit_entries",
    columns: ["created_at", "id"],
    direction,
    toParams: ([time, id]) => [new Date(time!), id!],
    select: (found) => sql`select id, created_at from ${found} order by created_at ${direction}, id ${direction}`,
  });
const lists = { asc: listIn("asc"), desc: listIn("desc") };

describe.each(databaseKinds)("narrowed lists on %s", (kind) => {
  let fresh: Awaited<ReturnType<typeof openFresh>>;
  beforeAll(async () => {
    fresh = await openFresh(kind);
  });
  afterAll(() => fresh?.[Symbol.asyncDispose]());

  async function write(entries: readonly Entry[]): Promise<void> {
    await fresh.database.transaction(async ({ rows }) => {
      await rows("delete from audit_entries");
      for (const { id, time, operation, actor, address, location } of entries)
        await rows(
          `insert into audit_entries (id, workspace_id, location_id, operation, actor_type, actor_id, address, created_at)
           values (?, 1, ?, ?, 'user', ?, ?, ?)`,
          [id, location, operation, actor, address, new Date(time)],
        );
    });
  }

  async function readPages(search: Search): Promise<number[]> {
    const ids: number[] = [];
    for (let after: readonly number[] | undefined; ;) {
      const page = await lists[search.direction]({
        ...search,
        rows: (text, params) => fresh.database.rows(text, params),
        conditions: conditionsOf(search),
        after,
        holder: "one",
      });
      ids.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (last === undefined || page.length < search.most) return ids;
      after = [last.created_at, last.id];
    }
  }

  test("page by page, each row once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 40 }).map((all) => all.map((one, place): Entry => ({ id: place + 1, ...one }))),
        fc.array(search, { minLength: 4, maxLength: 4 }),
        async (entries, searches) => {
          await write(entries);
          for (const one of searches) expect(await readPages(one)).toEqual(idsByPlainCode(entries, one));
        },
      ),
      runsOf(`narrowed lists on ${kind}`, 15, 150),
    );
  }, 240_000);
});
