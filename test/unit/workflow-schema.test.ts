/** The JSON Schema of a definition, as editors use it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";

const published = readFileSync(join(import.meta.dirname, "../../docs/workflow.schema.json"), "utf8");

const isDefinition = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(published));
const exit = { type: "exit" };

test.each([
  [true, { entry: "a", nodes: { a: exit } }],
  [true, { $schema: "./workflow.schema.json", entry: "a", trigger: { event: "form.submitted" }, nodes: { a: exit } }],
  [true, { entry: "a", nodes: { a: { type: "wait", reply: true, timeout: "2d", on_timeout: "a" } } }],
  [true, { entry: "a", nodes: { a: { type: "add_tag", tag: 3, next: "a" } } }],
  [true, { entry: "a", nodes: { a: { type: "branch", when: [{ field: "tag", op: "eq", value: "VIP" }], else: "a" } } }],
  [true, { entry: "a", nodes: { a: { type: "update_contact", set: { company: "{{context.company}}", dnd: true } } } }],
  [false, { nodes: { a: exit } }],
  [false, { entry: "a", nodes: { a: { type: "exit", next: "a" } } }],
  [false, { entry: "a", nodes: { a: { type: "wait", for: "1h", reply: true } } }],
  [false, { entry: "a", nodes: { a: { type: "wait", for: "soon" } } }],
  [false, { entry: "a", nodes: { a: { type: "send_mail" } } }],
  [false, { entry: "a", nodes: { "1a": exit } }],
  [false, { entry: "a", nodes: { a: exit }, trigger: { event: "form.submited" } }],
])("%s: %j", (isOne, definition) => {
  expect(isDefinition(definition)).toBe(isOne);
});
