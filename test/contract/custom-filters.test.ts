/** Filters by custom fields: random values and conditions against plain code, on both databases; templates and update_contact. */
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { matchesContact } from "../../src/crm/contacts/list/contact-match.ts";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { parseFilters } from "../../src/crm/contacts/list/contact.filters.ts";
import { exportContacts, toCsv } from "../../src/crm/contacts/transfer/contact.export.ts";
import { importContacts } from "../../src/crm/contacts/transfer/contact.import.ts";
import { readCsvFile } from "../../src/crm/contacts/transfer/csv-file.ts";
import { fold } from "../../src/kit/text.ts";
import { chanceOf, repetitions } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { made, unique } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

type Value = string | number | boolean | string[] | null;
interface Asked {
  readonly field: string;
  readonly op: string;
  readonly value: unknown;
}

const long = `${"long ".repeat(45)}Tail`;
const options = ["Basic", "Pro", "Team Ä"];
/** Field by its key, which is its type → the values that it takes. */
const values: Readonly<Record<string, readonly Value[]>> = {
  text: ["Rome", "rome", "Ölberg", "50%", "a_b", long, `${long}s`, "7", "true", null],
  long_text: [long, "short", null],
  number: [-2.5, -1, 0, 0.1, 7, 1e300, null],
  money: [0, 7, 1999, null],
  date: ["1999-12-31", "2024-02-29", "2026-01-01", null],
  boolean: [true, false, null],
  select: [...options, null],
  multiselect: [["Basic"], ["Pro", "Team Ä"], null],
  url: ["https://example.com/A", "http://b.example", null],
};
const types = Object.keys(values);
const texts = new Set(["text", "long_text", "url", "select", "multiselect"]);

/** What plain code says. */
function holds(of: Readonly<Record<string, Value>>, { field, op, value }: Asked): boolean {
  const type = field.slice("custom.".length);
  const given = of[type] ?? null;
  const own = given === null ? [] : Array.isArray(given) ? given : [given];
  const isSame = (one: unknown, other: unknown): boolean =>
    typeof one === "string" && typeof other === "string" ? fold(one) === fold(other) : one === other;
  const has = (wanted: unknown) => own.some((one) => isSame(one, wanted));
  switch (op) {
    case "is_null":
      return (own.length === 0) === value;
    case "eq":
      return value === null ? own.length === 0 : has(value);
    case "neq":
      return value === null ? own.length > 0 : !has(value);
    case "in":
      return (value as unknown[]).some(has);
    case "nin":
      return !(value as unknown[]).some(has);
    case "contains":
      return texts.has(type) && own.some((one) => fold(String(one)).includes(fold(String(value))));
    case "starts_with":
      return texts.has(type) && own.some((one) => fold(String(one)).startsWith(fold(String(value))));
    default: {
      const [one] = own;
      const isOrdered =
        typeof value === "number" ? typeof one === "number" : type === "date" && typeof one === "string";
      if (!isOrdered || one === undefined) return false;
      const [left, right] = [one as number, value as number];
      return { gt: left > right, gte: left >= right, lt: left < right, lte: left <= right }[op]!;
    }
  }
}

describe.each([...databaseKinds])("filters by custom fields on %s", (kind) => {
  let world: World;
  const people: { id: number; values: Record<string, Value> }[] = [];
  const chance = chanceOf(`custom filters on ${kind}`);
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(chance() * items.length)]!;

  beforeAll(async () => {
    world = await createWorld(kind);
    // The same keys elsewhere.
    await made(world.send("stranger", "POST", "/custom-fields", { on: "contact", type: "number", name: "text" }));
    for (const type of types) {
      const more = type.endsWith("select") ? { options } : {};
      await made(world.send("owner", "POST", "/custom-fields", { on: "contact", type, name: type, ...more }));
    }
    for (let count = 0; count < 40; count++) {
      const given = Object.fromEntries(types.map((type) => [type, one(values[type]!)]));
      const person = { first_name: "P", last_name: "", email: `p${unique()}@x.example`, custom_fields: given };
      const { id } = await made(world.send("owner", "POST", "/contacts", { location_id: world.north, ...person }));
      people.push({ id, values: given });
    }
  });
  afterAll(() => world?.close());

  function condition(): Asked {
    const type = one(types);
    const field = `custom.${type}`;
    const from = values[type]!.flat().filter((value) => value !== null);
    const value = one(from);
    const kindOf = typeof value;
    const op = one([
      "eq",
      "neq",
      "in",
      "nin",
      "is_null",
      "null",
      ...(texts.has(type) ? ["contains", "starts_with"] : []),
      ...(kindOf === "number" || type === "date" ? ["gt", "gte", "lt", "lte"] : []),
    ]);
    if (op === "null") return { field, op: one(["eq", "neq"]), value: null };
    if (op === "is_null") return { field, op, value: chance() < 0.5 };
    const others = from.filter((other) => typeof other === kindOf);
    if (op === "in" || op === "nin") return { field, op, value: [value, one(others)] };
    if (op === "contains") return { field, op, value: String(value).slice(1, 5).trim() || "o" };
    if (op === "starts_with") return { field, op, value: String(value).slice(0, 3).trim() || "o" };
    return { field, op, value };
  }

  test("find whom plain code finds", async () => {
    const caller = await world.service.inLocation(world.acme, world.north);
    for (let round = 0; round < repetitions(150, 2000); round++) {
      const filters = [condition(), ...(chance() < 0.4 ? [{ any: [condition(), condition()] }] : [])];
      const expected = people.filter(({ values: own }) =>
        filters.every((each) => ("any" in each ? each.any.some((any) => holds(own, any)) : holds(own, each))),
      );
      const ids = expected.map(({ id }) => id).toSorted((a, b) => a - b);
      // Bounds of 0 take the way by an index of few, or the scan in slices.
      for (const bounds of [undefined, { atOnce: 0, piece: 1 }] as const) {
        const { data, total } = await listContacts(caller, { filters: JSON.stringify(filters) }, bounds);
        expect([JSON.stringify(filters), data.map(({ id }) => id).toSorted((a, b) => a - b)]).toEqual([
          JSON.stringify(filters),
          ids,
        ]);
        expect(total).toBe(ids.length);
      }
      const some = one(people);
      expect(await matchesContact(caller, some.id, parseFilters(filters, "filters"))).toBe(expected.includes(some));
    }
  });

  const list = async (filters: unknown) => {
    const path = `/contacts?location_id=${world.north}&filters=${encodeURIComponent(JSON.stringify(filters))}`;
    return world.send("owner", "GET", path);
  };

  test.each([
    ["a key that is not defined", { "custom.plan": "x" }],
    ["what is no key", { "custom.": "x" }],
    ["an unknown operator", [{ field: "custom.text", op: "like", value: "x" }]],
    ["a list with values of two types", [{ field: "custom.text", op: "in", value: ["x", 1] }]],
    ["an order of texts", [{ field: "custom.text", op: "gt", value: "x" }]],
    ["part of a number", [{ field: "custom.number", op: "contains", value: 1 }]],
    ["an object", [{ field: "custom.text", op: "eq", value: {} }]],
  ])("refuse %s", async (_name, filters) => {
    const { status, body } = await list(filters);
    expect([status, Object.keys(body.errors)]).toEqual([422, ["filters"]]);
  });

  test("an export is imported as it was, in another location of the workspace", async () => {
    const north = await world.service.inLocation(world.acme, world.north);
    const south = await world.service.inLocation(world.acme, world.south);
    const lines: string[] = [];
    for await (const line of toCsv(exportContacts(north))) lines.push(line);
    expect(lines[0]).toContain(types.map((type) => `custom.${type}`).join(","));
    await using folder = await mkdtempDisposable(join(tmpdir(), "custom-"));
    const file = join(folder.path, "contacts.csv");
    await writeFile(file, lines.join("").replaceAll(/owner_user_id/g, "ignored"));
    const report = await importContacts(south, readCsvFile(file), { map: { external_ref: "" } });
    expect(report).toMatchObject({ created: people.length, refused: [] });
    const shown = async (caller: typeof north) => {
      const found = [];
      for await (const { email, custom_fields } of exportContacts(caller)) found.push([email, custom_fields]);
      return found;
    };
    expect(await shown(south)).toEqual(await shown(north));
  });

  test("workflows fill {{contact.custom.key}}, set custom fields and branch by them", async () => {
    const { id } = await made(
      world.send("owner", "POST", "/contacts", {
        location_id: world.north,
        first_name: "W",
        last_name: "",
        custom_fields: { text: "Rome", select: "Basic" },
      }),
    );
    const workflow = await givenWorkflow(world, {
      set: {
        type: "update_contact",
        set: { custom_fields: { select: "pro", url: null, long_text: "from {{contact.custom.text}}" } },
        next: "ask",
      },
      ask: { type: "branch", when: { "custom.select": "PRO" }, then: "note", else: "end" },
      note: { type: "add_note", body: "{{contact.custom.select}}: {{contact.custom.long_text}}", next: "end" },
      end: { type: "exit" },
    });
    await givenRun(world, workflow, id);
    await world.service.worker.runOnce();
    const { body } = await world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`);
    expect(body).toMatchObject({
      custom_fields: { text: "Rome", select: "Pro", long_text: "from Rome" },
      notes: [{ body: "Pro: from Rome" }],
    });
  });
});
