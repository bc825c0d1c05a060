/** Custom fields of contacts: written, shown, changed and refused on every write path; random values against plain code. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { numberKey } from "../../src/crm/custom-fields/custom-value.ts";
import { contract, row } from "../support/contract.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made, unique } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const types = ["text", "long_text", "number", "money", "date", "boolean", "select", "multiselect", "url"];

/** A field of each type, whose key is its type. */
async function givenFields(world: World): Promise<void> {
  const { data } = await made(world.send("owner", "GET", "/custom-fields"));
  if (data.length > 0) return;
  for (const type of types) {
    const options = type.endsWith("select") ? { options: ["Basic", "Pro", "Team"] } : {};
    await made(world.send("owner", "POST", "/custom-fields", { on: "contact", type, name: type, ...options }));
  }
}

const unset = Object.fromEntries(types.map((type) => [type, null]));

const person = (world: World, custom_fields?: object) => ({
  location_id: world.north,
  first_name: "Ada",
  last_name: "L",
  email: `ada.${unique()}@custom.example`,
  ...(custom_fields === undefined ? {} : { custom_fields }),
});

const all = {
  text: " Engines ",
  long_text: "x".repeat(10_000),
  number: -1.5,
  money: 1999,
  date: "2024-02-29",
  boolean: false,
  select: " PRO",
  multiselect: ["team", " basic", "TEAM"],
  url: "https://example.com/a?b=c",
};
const shown = { ...all, text: "Engines", select: "Pro", multiselect: ["Team", "Basic"] };

contract("createContact with custom fields", [
  row({
    name: "where the workspace defines none, no response has them, and any key is refused",
    send: (world) => ["POST", "/contacts", person(world, { plan: "x" })],
    expect: { status: 422, body: { errors: { "custom_fields.plan": [expect.stringContaining("defined none")] } } },
    async afterwards(world) {
      const { body } = await world.send("owner", "POST", "/contacts", person(world));
      expect(body).not.toHaveProperty("custom_fields");
    },
  }),
  row({
    name: "keeps a value of each type",
    given: givenFields,
    send: (world) => ["POST", "/contacts", person(world, all)],
    expect: { status: 201, body: { custom_fields: shown }, events: ["contact.created"] },
    async afterwards(world, _given, { id }) {
      const { body } = await world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`);
      expect(body.custom_fields).toEqual(shown);
    },
  }),
  row({
    name: "shows null where nothing is set",
    given: givenFields,
    send: (world) => ["POST", "/contacts", person(world)],
    expect: { status: 201, body: { custom_fields: unset }, events: ["contact.created"] },
  }),
  row({
    name: "names each wrong value",
    given: givenFields,
    send: (world) => [
      "POST",
      "/contacts",
      person(world, {
        text: "x".repeat(256),
        long_text: 7,
        number: "7",
        money: 1.5,
        date: "2023-02-29",
        boolean: "yes",
        select: "Gold",
        multiselect: ["Basic", 7],
        url: "javascript:alert(1)",
        plan: 1,
      }),
    ],
    expect: {
      status: 422,
      body: {
        errors: Object.fromEntries([...types, "plan"].map((key) => [`custom_fields.${key}`, [expect.any(String)]])),
      },
    },
  }),
  row({
    name: "keys that objects inherit are unknown",
    given: givenFields,
    send: (world) => ["POST", "/contacts", JSON.stringify(person(world, { constructor: 2 }))],
    expect: { status: 422, body: { errors: { "custom_fields.constructor": [expect.stringContaining("is unknown")] } } },
  }),
  row({
    name: "the key __proto__ is unknown",
    given: givenFields,
    send: (world) => [
      "POST",
      "/contacts",
      JSON.stringify(person(world, { text: "" })).replace('"text":', '"__proto__":'),
    ],
    expect: { status: 422, body: { errors: { custom_fields: [expect.stringContaining('unknown key "__proto__"')] } } },
  }),
  row({
    name: "all values together are bounded",
    async given(world) {
      await givenFields(world);
      for (let number = 0; number < 7; number++) {
        const field = { on: "contact", type: "long_text", name: "Long", key: `long_${number}` };
        await world.send("owner", "POST", "/custom-fields", field);
      }
    },
    send: (world) => [
      "POST",
      "/contacts",
      person(world, Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`long_${n}`, "y".repeat(10_000)]))),
    ],
    expect: { status: 422, body: { errors: { custom_fields: [expect.stringContaining("65536")] } } },
  }),
]);

contract("updateContact with custom fields", [
  row({
    name: "changes the given keys, clears by null, and tells of both",
    async given(world) {
      await givenFields(world);
      return made(world.send("owner", "POST", "/contacts", person(world, all)));
    },
    send: (world, { id }) => [
      "PATCH",
      `/contacts/${id}`,
      { location_id: world.north, custom_fields: { number: 2, text: null, multiselect: ["Basic"], money: 1999 } },
    ],
    expect: {
      status: 200,
      body: {
        custom_fields: { ...shown, number: 2, text: null, multiselect: ["Basic"] },
        activities: [
          {
            kind: "contact.updated",
            data: [
              { field: "custom_fields.text", old: "Engines", new: null },
              { field: "custom_fields.number", old: -1.5, new: 2 },
              { field: "custom_fields.multiselect", old: ["Team", "Basic"], new: ["Basic"] },
            ],
          },
          {},
        ],
      },
      events: ["contact.updated"],
    },
  }),
  row({
    name: "the same values again change nothing",
    async given(world) {
      await givenFields(world);
      return made(world.send("owner", "POST", "/contacts", person(world, all)));
    },
    send: (world, { id }) => ["PATCH", `/contacts/${id}`, { location_id: world.north, custom_fields: shown }],
    expect: { status: 200, body: { custom_fields: shown } },
  }),
]);

contract("upsertContact and bulk with custom fields", [
  row({
    name: "updates the given keys of the contact that it finds",
    async given(world) {
      await givenFields(world);
      return made(world.send("owner", "POST", "/contacts", person(world, { text: "old", number: 1 })));
    },
    send: (world, { email }) => [
      "POST",
      "/contacts/upsert",
      { location_id: world.north, email, custom_fields: { text: "new" } },
    ],
    expect: {
      status: 200,
      body: { created: false, contact: { custom_fields: { ...unset, text: "new", number: 1 } } },
      events: ["contact.updated"],
    },
  }),
  row({
    name: "an item with a wrong value does not affect the others",
    given: givenFields,
    send: (world) => [
      "POST",
      "/contacts/bulk",
      {
        location_id: world.north,
        contacts: [
          { email: "same@custom.example", custom_fields: { text: "one", number: 1 } },
          { email: "wrong@custom.example", custom_fields: { number: "one" } },
          { email: "same@custom.example", custom_fields: { text: "two" } },
        ],
      },
    ],
    expect: {
      status: 200,
      body: {
        data: [
          { status: 201 },
          { status: 422, errors: { "custom_fields.number": [expect.any(String)] } },
          { status: 200 },
        ],
      },
      events: ["contact.created", "contact.updated"],
    },
    async afterwards(world, _given, { data }) {
      const { body } = await world.send("owner", "GET", `/contacts/${data[0].id}?location_id=${world.north}`);
      expect(body.custom_fields).toEqual({ ...unset, text: "two", number: 1 });
    },
  }),
]);

describe.each([...databaseKinds])("custom values on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("go with their field, and come back with no other of its key", async () => {
    await givenFields(world);
    const { id } = await made(world.send("owner", "POST", "/contacts", person(world, all)));
    const { data } = await made(world.send("owner", "GET", "/custom-fields"));
    const text = data.find(({ key }: { key: string }) => key === "text");
    expect((await world.send("owner", "DELETE", `/custom-fields/${text.id}`)).status).toBe(204);
    const read = async () =>
      (await world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`)).body.custom_fields;
    expect(await read()).not.toHaveProperty("text");
    await made(world.send("owner", "POST", "/custom-fields", { on: "contact", type: "text", name: "text" }));
    expect(await read()).toMatchObject({ text: null, number: -1.5 });
  });

  test("are shown to their own workspace alone", async () => {
    await givenFields(world);
    const foreign = await givenContact(world, { location_id: world.foreign }, "stranger");
    expect(foreign).not.toHaveProperty("custom_fields");
  });
});

test("keys of numbers are ordered as the numbers are", () => {
  const numbers = [
    -Number.MAX_VALUE,
    -(2 ** 53),
    -1.5,
    -1,
    -Number.MIN_VALUE,
    0,
    Number.MIN_VALUE,
    0.1,
    1,
    9,
    10,
    1e300,
  ];
  const keys = numbers.map(numberKey);
  expect(keys.toSorted()).toEqual(keys);
  expect(new Set(keys).size).toBe(numbers.length);
  expect(numberKey(-0)).toBe(numberKey(0));
});
