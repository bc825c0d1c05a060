/** GET /contacts/duplicates: compared with plain code over all contacts, page by page. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listDuplicates } from "../../src/crm/contacts/duplicates/duplicate.list.ts";
import type { Caller, LocationContext, Reader } from "../../src/events/caller.ts";
import { contract, row } from "../support/contract.ts";
import { runsOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const list = (world: World) => ["GET", `/contacts/duplicates?location_id=${world.south}`] as const;
const inSouth = (world: World, fields: object) =>
  givenContact(world, { location_id: world.south, external_ref: null, email: null, phone: null, ...fields });

contract("listDuplicates", [
  row({
    name: "groups contacts with one email, one phone, or one name and a company, newest first",
    async given(world) {
      const pair = async (fields: object) => [(await inSouth(world, fields)).id, (await inSouth(world, fields)).id];
      const email = await pair({ email: "Ada@example.com" });
      const phone = await pair({ phone: "+14155552671" });
      const name = await pair({ last_name: "Lovelace", company: "Engines" });
      await pair({ last_name: "King" });
      return { email, phone, name };
    },
    send: list,
    expect: {
      status: 200,
      body: (_world, given) => ({
        data: (["name", "phone", "email"] as const).map((reason) => ({
          reason,
          contacts: given[reason].toReversed().map((id) => ({ id })),
        })),
        next_cursor: null,
      }),
    },
  }),
]);

const few = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: null });
const person = fc.record({
  first_name: fc.constantFrom("Ada", "ADA", "Bob"),
  last_name: fc.constantFrom("King", ""),
  email: few("a@example.com", "A@EXAMPLE.COM", "b@example.com"),
  phone: few("+14155552671", "+1 (415) 555-2671", "+14165552671", "12"),
  company: few("Engines", "engines", "Looms"),
  zip: few("10115", "SW1"),
});
type Person = typeof person extends fc.Arbitrary<infer Value> ? Value : never;
type Known = Person & { readonly id: number };

/** Every group, by the definition: no keys, slices or cursors. */
function groupsByPlainCode(people: readonly Known[]) {
  const phoneOf = (phone: string | null) => phone?.replaceAll(/\D/g, "") ?? null;
  const keys = people.map(({ id, first_name, last_name, email, phone, company, zip }) => ({
    id,
    email: email?.toLowerCase() ?? null,
    phone: phoneOf(phone),
    name: `${first_name} ${last_name}`.trim().toLowerCase(),
    alike: [company?.toLowerCase(), zip?.toLowerCase(), phoneOf(phone)?.slice(-4)].map((key) =>
      key === undefined || key.length < 2 ? null : key,
    ),
  }));
  type Key = (typeof keys)[number];
  const sets = (by: (key: Key) => string | null) =>
    [...Map.groupBy(keys, by)].flatMap(([key, members]) => (key === null ? [] : [members]));
  const joined = sets(({ name }) => name).flatMap((ofName) => {
    const parts: Key[][] = [];
    for (const one of ofName) {
      const isJoined = (part: Key[]) =>
        part.some((other) =>
          one.alike.some(
            (key, place) => key !== null && key === other.alike[place] && !(place === 2 && one.phone!.length < 4),
          ),
        );
      const [apart, together] = [parts.filter((part) => !isJoined(part)), parts.filter(isJoined)];
      parts.splice(0, parts.length, ...apart, [...together.flat(), one]);
    }
    return parts;
  });
  const all = { email: sets(({ email }) => email), phone: sets(({ phone }) => phone), name: joined };
  const reasons = ["email", "phone", "name"] as const;
  return reasons
    .flatMap((reason, rank) =>
      all[reason].flatMap((members) => {
        const group = members.toSorted((one, other) => other.id - one.id).slice(0, 20);
        const stronger = reasons.slice(0, rank) as ("email" | "phone")[];
        const isTold = stronger.some((by) => group[0]![by] !== null && group.every((one) => one[by] === group[0]![by]));
        return group.length < 2 || isTold ? [] : [{ reason, rank, ids: group.map(({ id }) => id) }];
      }),
    )
    .toSorted((one, other) => other.ids[0]! - one.ids[0]! || one.rank - other.rank)
    .map(({ reason, ids }) => ({ reason, ids }));
}

describe.each(databaseKinds)("duplicates on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("the pages are the groups of plain code", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: 2, maxLength: 60 }), async (people) => {
        await world.service.database.transaction(({ rows }) =>
          rows("update contacts set deleted_at = created_at where location_id = ?", [world.south]),
        );
        const known: Known[] = [];
        for (const one of people) known.push({ ...one, id: (await inSouth(world, one)).id });
        const found: { reason: string; ids: number[] }[] = [];
        for (let cursor: string | null = ""; cursor !== null;) {
          const path = `/contacts/duplicates?location_id=${world.south}&cursor=${encodeURIComponent(cursor)}`;
          const shown = await made(world.send("owner", "GET", path));
          for (const { reason, contacts } of shown.data)
            found.push({ reason, ids: contacts.map(({ id }: { id: number }) => id) });
          cursor = shown.next_cursor;
        }
        expect(found).toEqual(groupsByPlainCode(known));
      }),
      runsOf(`duplicates on ${kind}`, 5, 100),
    );
  });

  test("a contact that is deleted while a page is read is left out, and its group once fewer than two are left", async () => {
    const email = "ada.meanwhile@example.com";
    const oldest = await inSouth(world, { email });
    await inSouth(world, { email });
    const newest = await inSouth(world, { email });
    const caller = await world.service.inLocation(world.acme, world.south);
    /** The groups of a page, during which the contact is deleted after the first of its statements. */
    const listWhileDeleting = async ({ id }: { id: number }) => {
      let isFirst = true;
      const watched: Caller<LocationContext> = {
        ...caller,
        async rows<Row>(...asked: Parameters<Reader["rows"]>) {
          const rows = await caller.rows<Row>(...asked);
          if (isFirst) await world.send("owner", "DELETE", `/contacts/${id}`, { location_id: world.south });
          isFirst = false;
          return rows;
        },
      };
      const { data } = await listDuplicates(watched, {});
      return data
        .filter(({ contacts }) => contacts.some((one) => one.email === email))
        .map(({ contacts }) => contacts.map((one) => one.id));
    };
    // A group is found by its newest contact: the next request finds it by the second.
    expect(await listWhileDeleting(newest)).toEqual([]);
    expect(await listWhileDeleting(oldest)).toEqual([]);
  });
});
