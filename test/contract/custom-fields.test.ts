/** GET and POST /custom-fields; PATCH and DELETE /custom-fields/{id} */
import { expect } from "vitest";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
import { made, unique } from "../support/given.ts";
import type { World } from "../support/world.ts";

const create = (field: object) => ["POST", "/custom-fields", { on: "contact", type: "text", ...field }] as const;

const givenField = (world: World, field: object = {}) =>
  made(world.send("owner", ...create({ name: "Plan", key: `plan_${unique()}`, ...field })));

contract("createCustomField", [
  row({
    name: "returns the field, with a key made from the name",
    send: create({ name: " 2. Größe (cm) ", type: "number" }),
    expect: {
      status: 201,
      exactly: {
        id: expect.any(Number),
        on: "contact",
        key: "gro_e_cm",
        name: "2. Größe (cm)",
        type: "number",
        created_at: expect.any(String),
      },
    },
  }),
  row({
    name: "takes a key and options",
    send: create({ name: "Plan", key: "plan", type: "select", options: ["Basic", " Pro "] }),
    expect: { status: 201, body: { key: "plan", options: ["Basic", "Pro"] } },
  }),
  ...["Plan", "1st", "plan-b", "_a", "a".repeat(41)].map((key) =>
    row({
      name: `refuses the key ${key}`,
      send: create({ name: "Plan", key }),
      expect: { status: 422, body: { errors: { key: [expect.stringContaining("lower-case letter")] } } },
    }),
  ),
  row({
    name: "a name without letters needs a key",
    send: create({ name: "身長 1" }),
    expect: { status: 422, body: { errors: { key: [expect.stringContaining("required")] } } },
  }),
  row({
    name: "keys are unique",
    given: (world) => givenField(world, { key: "taken", name: "Taken" }),
    send: create({ name: "Other", key: "taken" }),
    expect: { status: 422, body: { errors: { key: [expect.stringContaining("taken")] } } },
  }),
  row({
    name: "keys are unique in each workspace",
    given: (world) => givenField(world, { key: "ours" }),
    as: "stranger",
    send: create({ name: "Ours" }),
    expect: { status: 201, body: { key: "ours" } },
  }),
  row({
    name: "options are for selections, and required there",
    send: create({ name: "Plan", type: "multiselect" }),
    expect: { status: 422, body: { errors: { options: [expect.stringContaining("required")] } } },
  }),
  row({
    name: "no other type takes options",
    send: create({ name: "Plan", options: ["a"] }),
    expect: { status: 422, body: { errors: { options: [expect.stringContaining("select")] } } },
  }),
  row({
    name: "an option stands once",
    send: create({ name: "Plan", type: "select", options: ["A", " a"] }),
    expect: { status: 422, body: { errors: { options: [expect.stringContaining("twice")] } } },
  }),
  row({
    name: "refuses an unknown type and noun",
    send: create({ on: "task", name: "Plan", type: "colour" }),
    expect: { status: 422, body: { errors: { on: [expect.any(String)], type: [expect.any(String)] } } },
  }),
  row({
    name: "a workspace has at most 100",
    async given(world) {
      const { body } = await world.send("stranger", "GET", "/custom-fields");
      for (let count = body.data.length as number; count < limits.customField.most; count++)
        await made(world.send("stranger", ...create({ name: "Many", key: `many_${count}` })));
    },
    as: "stranger",
    send: create({ name: "One more" }),
    expect: { status: 422, body: { errors: { on: [expect.stringContaining("100")] } } },
  }),
]);

contract("listCustomFields", [
  row({
    name: "returns only the fields of the workspace, oldest first",
    async given(world) {
      await givenField(world, { key: "older" });
      await givenField(world, { key: "newer" });
      await world.send("stranger", ...create({ name: "theirs" }));
    },
    send: ["GET", "/custom-fields"],
    expect: { status: 200, body: { data: [{ key: "older" }, { key: "newer" }], next_cursor: null } },
  }),
]);

contract("updateCustomField", [
  row({
    name: "changes the name and the options, never key and type",
    given: (world) => givenField(world, { type: "select", options: ["A"] }),
    send: (_world, { id }) => ["PATCH", `/custom-fields/${id}`, { name: "Other", key: "other", options: ["A", "B"] }],
    expect: {
      status: 200,
      body: (_world, given) => ({ ...(given as object), name: "Other", options: ["A", "B"] }),
    },
  }),
  row({
    name: "needs access to every location, since all share it",
    given: (world) => givenField(world),
    as: "northOnly",
    send: (_world, { id }) => ["PATCH", `/custom-fields/${id}`, { name: "North only" }],
    expect: { status: 403, body: { message: expect.stringMatching(/^Custom fields are shared/) } },
  }),
]);

contract("deleteCustomField", [
  row({
    name: "frees the key",
    given: (world) => givenField(world, { key: "gone" }),
    send: (_world, { id }) => ["DELETE", `/custom-fields/${id}`],
    expect: { status: 204 },
    async afterwards(world) {
      expect((await world.send("owner", ...create({ name: "Gone" }))).status).toBe(201);
    },
  }),
]);
