/** Custom fields of opportunities: written, shown, changed, filtered like plain code filters, and gone with the field, on both databases. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listOpportunities } from "../../src/crm/opportunities/opportunity.queries.ts";
import { fold } from "../../src/kit/text.ts";
import { chanceOf, repetitions } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

type Value = string | number | boolean | string[] | null;
interface Asked {
  readonly field: string;
  readonly op: string;
  readonly value: unknown;
}

const options = ["Basic", "Pro", "Team Ä"];
/** Field by its key, which is its type → the values that it takes. */
const values: Readonly<Record<string, readonly Value[]>> = {
  text: ["Rome", "rome", "Ölberg", "50%", "7", null],
  number: [-2.5, 0, 0.1, 7, 1e300, null],
  money: [0, 7, 1999, null],
  date: ["1999-12-31", "2024-02-29", null],
  boolean: [true, false, null],
  select: [...options, null],
  multiselect: [["Basic"], ["Pro", "Team Ä"], null],
  url: ["https://example.com/A", "http://b.example", null],
};
const types = Object.keys(values);

/** What plain code says. */
function holds(own: Readonly<Record<string, Value>>, { field, op, value }: Asked): boolean {
  const given = own[field.slice("custom.".length)] ?? null;
  const all = given === null ? [] : Array.isArray(given) ? given : [given];
  const key = (one: unknown) => (typeof one === "string" ? fold(one) : one);
  const has = (wanted: unknown) => all.some((one) => key(one) === key(wanted));
  if (op === "is_null") return (all.length === 0) === value;
  if (op === "eq") return has(value);
  if (op === "neq") return !has(value);
  if (op === "in") return (value as unknown[]).some(has);
  if (op === "contains") return all.some((one) => fold(String(one)).includes(fold(String(value))));
  const [one] = all as number[];
  return one !== undefined && (op === "gt" ? one > (value as number) : one <= (value as number));
}

describe.each([...databaseKinds])("custom fields of opportunities on %s", (kind) => {
  let world: World;
  let contact: number;
  let stages: { pipeline_id: number; open: number; won: number };
  const deals: { id: number; own: Record<string, Value> }[] = [];
  const chance = chanceOf(`custom fields of opportunities on ${kind}`);
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(chance() * items.length)]!;
  const define = (body: object) => made(world.send("owner", "POST", "/custom-fields", { on: "opportunity", ...body }));
  const create = (more: object) =>
    world.send("owner", "POST", "/opportunities", {
      location_id: world.north,
      contact_id: contact,
      pipeline_id: stages.pipeline_id,
      stage_id: stages.open,
      ...more,
    });
  const change = (id: number, patch: object) =>
    world.send("owner", "PATCH", `/opportunities/${id}`, { location_id: world.north, ...patch });
  const show = async (id: number) =>
    // oxlint-disable-next-line typescript/no-explicit-any -- looked into freely
    (await world.send("owner", "GET", `/opportunities/${id}?location_id=${world.north}`)).body as any;

  beforeAll(async () => {
    world = await createWorld(kind);
    contact = (await givenContact(world, { first_name: "Ada" })).id;
    const { body } = await world.send("owner", "GET", `/pipelines?location_id=${world.north}`);
    const [pipeline] = (body as { data: { id: number; stages: { id: number; kind: string }[] }[] }).data;
    const stageOf = (kindOf: string) => pipeline!.stages.find((stage) => stage.kind === kindOf)!.id;
    stages = { pipeline_id: pipeline!.id, open: stageOf("open"), won: stageOf("won") };
  });
  afterAll(() => world?.close());

  test("an opportunity shows none before one is defined, and a field of contacts is none of it", async () => {
    await made(world.send("owner", "POST", "/custom-fields", { on: "contact", name: "Plan", type: "text" }));
    const { body } = await create({});
    expect(body).not.toHaveProperty("custom_fields");
    expect(await create({ custom_fields: { plan: "x" } })).toMatchObject({
      status: 422,
      body: { errors: { "custom_fields.plan": [expect.stringMatching(/unknown/)] } },
    });
    for (const type of types) {
      const more = type.endsWith("select") ? { options } : {};
      // The same key may be one of contacts, too.
      expect(await define({ type, name: type, ...more })).toMatchObject({ on: "opportunity", key: type });
    }
    const none = Object.fromEntries(types.map((type) => [type, null]));
    expect((await show((body as { id: number }).id)).custom_fields).toEqual(none);
  });

  test("only the given ones change, and the event of a stage carries them", async () => {
    const { id } = await made(create({ custom_fields: { text: "Rome", number: 7, multiselect: ["pro", "Basic"] } }));
    expect((await show(id)).custom_fields).toMatchObject({ text: "Rome", number: 7, multiselect: ["Pro", "Basic"] });
    await change(id, { custom_fields: { number: null, date: "2024-02-29" } });
    expect((await show(id)).custom_fields).toMatchObject({ text: "Rome", number: null, date: "2024-02-29" });
    const { events } = await world.eventsDuring(() =>
      change(id, { stage_id: stages.won, custom_fields: { boolean: true } }),
    );
    expect(events).toMatchObject([
      {
        event: "opportunity.stage_changed",
        data: { custom_fields: { text: "Rome", boolean: true } },
      },
    ]);
    const changes = (events[0]!.data as { changes: { field: string }[] }).changes;
    expect(changes).toContainEqual({ field: "custom_fields.boolean", old: null, new: true });
    const before = await show(id);
    await change(id, { custom_fields: { boolean: true } });
    expect((await show(id)).updated_at).toBe(before.updated_at);
  });

  test.each([
    [{ number: "seven" }, "custom_fields.number"],
    [{ date: "2024-02-30" }, "custom_fields.date"],
    [{ select: "Gold" }, "custom_fields.select"],
    [{ hat: 1 }, "custom_fields.hat"],
  ])("%j is refused on its key, beside other faults", async (custom_fields, field) => {
    const { status, body } = await create({ custom_fields, owner_user_id: 999_999 });
    expect([status, Object.keys((body as { errors: object }).errors).toSorted()]).toEqual([
      422,
      [field, "owner_user_id"].toSorted(),
    ]);
  });

  function condition(): Asked {
    const type = one(types);
    const value = one(values[type]!.flat().filter((each) => each !== null));
    const isText = ["text", "select", "multiselect", "url"].includes(type);
    const isOrdered = ["number", "money", "date"].includes(type);
    const op = one([
      "eq",
      "neq",
      "in",
      "is_null",
      ...(isText ? ["contains"] : []),
      ...(isOrdered ? ["gt", "lte"] : []),
    ]);
    const field = `custom.${type}`;
    if (op === "is_null") return { field, op, value: chance() < 0.5 };
    return { field, op, value: op === "in" ? [value] : value };
  }

  test("filters find what plain code finds, in pages", async () => {
    for (let count = 0; count < 25; count++) {
      const own = Object.fromEntries(types.map((type) => [type, one(values[type]!)]));
      deals.push({ id: (await made(create({ name: "random", custom_fields: own }))).id, own });
    }
    const caller = await world.service.inLocation(world.acme, world.north);
    const known = new Set(deals.map(({ id }) => id));
    for (let round = 0; round < repetitions(60, 1000); round++) {
      const filters = [condition(), ...(chance() < 0.4 ? [{ any: [condition(), condition()] }] : [])];
      const expected = deals
        .filter(({ own }) =>
          filters.every((each) => ("any" in each ? each.any.some((any) => holds(own, any)) : holds(own, each))),
        )
        .map(({ id }) => id)
        .toReversed();
      const found: number[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const query = { filters: JSON.stringify(filters), limit: 7, cursor };
        // oxlint-disable-next-line typescript/no-explicit-any -- looked into freely
        const page: any = await listOpportunities(caller, query);
        found.push(...page.data.map(({ id }: { id: number }) => id));
        cursor = page.next_cursor;
      }
      expect([JSON.stringify(filters), found.filter((id) => known.has(id))]).toEqual([
        JSON.stringify(filters),
        expected,
      ]);
    }
  });

  test.each([
    [
      [{ field: "custom.number", op: "eq", value: "7" }],
      /custom\.number with "7"; a field of the type number takes a number/,
    ],
    [[{ field: "custom.text", op: "eq", value: 7 }], /custom\.text with 7; a field of the type text takes text/],
    [[{ field: "custom.boolean", op: "gt", value: 1 }], /custom\.boolean by gt, which a field of the type boolean/],
    [[{ field: "custom.date", op: "eq", value: "soon" }], /a date such as/],
    [[{ field: "custom.hat", op: "eq", value: 1 }], /names the custom field custom\.hat; there are custom\.text/],
    [[{ field: "name", op: "eq", value: "x" }], /names the field "?name/],
  ])("%j is refused", async (filters, sentence) => {
    const path = `/opportunities?location_id=${world.north}&filters=${encodeURIComponent(JSON.stringify(filters))}`;
    expect(await world.send("owner", "GET", path)).toMatchObject({
      status: 422,
      body: { errors: { filters: [expect.stringMatching(sentence)] } },
    });
  });

  test("empty filters are refused, instead of listing all", async () => {
    expect(await world.send("owner", "GET", `/opportunities?location_id=${world.north}&filters=`)).toMatchObject({
      status: 422,
      body: { errors: { filters: ["The filters field must not be empty."] } },
    });
  });

  test("a field takes its values along, and nothing of contacts", async () => {
    const { id } = await define({ type: "text", name: "Gone" });
    const deal = await made(create({ custom_fields: { gone: "x", text: "stays" } }));
    expect((await world.send("owner", "DELETE", `/custom-fields/${id}`)).status).toBe(204);
    expect((await show(deal.id)).custom_fields).toMatchObject({ text: "stays" });
    expect((await show(deal.id)).custom_fields).not.toHaveProperty("gone");
  });
});
