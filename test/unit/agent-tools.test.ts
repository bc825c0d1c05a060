/** Tools are folded from the endpoints: which are none, what their annotations say, and what they answer at most. */
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { shorten } from "../../src/agents/results/shorten.ts";
import { toSnakeCase } from "../../src/agents/endpoint-tool.ts";
import { postHints } from "../../src/agents/tool-hints.ts";
import { createTools } from "../../src/agents/tools.ts";
import { endpoints } from "../../src/operations.ts";

const tools = [...createTools(endpoints).values()];

test("an operation that shows a secret or takes a file is no tool; every other one is", () => {
  const none = endpoints.filter(
    ({ operation, fileBytes, download }) => operation.givesSecret || fileBytes !== undefined || download !== undefined,
  );
  expect(none.length).toBeGreaterThan(3);
  const names = endpoints
    .filter((endpoint) => !none.includes(endpoint))
    .map(({ operation }) => toSnakeCase(operation.name));
  expect(tools.map(({ name }) => name)).toEqual(["describe", "timeline", ...names]);
});

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, { inputSchema, description, hints }) => {
  test("has a name, a description and a valid schema of an object without further members", () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{2,63}$/);
    expect(description).toMatch(/\.$/);
    const ajv = addFormats.default(new Ajv2020.default({ strict: false }));
    expect(ajv.validateSchema(inputSchema)).toBe(true);
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    const { properties, required } = inputSchema as { properties: object; required: string[] };
    expect(new Set(required).size).toBe(required.length);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
  });

  test("what only reads neither destroys nor reaches out", () => {
    if (hints.readOnlyHint)
      expect(hints).toMatchObject({ destructiveHint: false, idempotentHint: true, openWorldHint: false });
  });
});

test("hints beside those of the method are of POST operations that are tools", () => {
  const posts = endpoints.filter(({ method, operation }) => method === "POST" && !operation.givesSecret);
  expect(posts.map(({ operation }) => operation.name)).toEqual(expect.arrayContaining(Object.keys(postHints)));
});

/** Decided here a second time, and held against what the annotations say. */
test.each([
  ["get_contact", "reads"],
  ["list_conversations", "reads"],
  ["create_contact", "adds"],
  ["add_note", "adds"],
  ["create_task", "adds"],
  ["update_contact", "overwrites"],
  ["upsert_contact", "overwrites"],
  ["delete_contact", "overwrites"],
  ["delete_conversation", "overwrites"],
  ["unpublish_workflow", "overwrites"],
  ["send_message", "reaches out"],
  ["start_conversation", "reaches out"],
  ["enroll", "reaches out"],
])("%s %s", (name, kind) => {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = createTools(endpoints).get(name)!.hints;
  expect({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }).toEqual({
    readOnlyHint: kind === "reads",
    destructiveHint: kind === "overwrites",
    idempotentHint: kind === "reads" || kind === "overwrites",
    openWorldHint: kind === "reaches out",
  });
});

describe("an answer is cut for a reader with a budget", () => {
  const long = "x".repeat(5000);
  test.each([
    ["a short text is whole", { body: "Hello" }, { body: "Hello" }],
    ["a long text is cut and marked", { body: long }, { body: `${"x".repeat(1999)}… [cut: 5000 characters]` }],
    [
      "a list inside of a record has twenty items, and its length is told",
      { id: 1, notes: Array.from({ length: 30 }, (_, id) => ({ id })) },
      { id: 1, notes: Array.from({ length: 20 }, (_, id) => ({ id })), cut: { notes: "the first 20 of 30" } },
    ],
    [
      "a page is whole, since its length was asked for",
      { data: Array.from({ length: 100 }, (_, id) => id), next_cursor: null },
      { data: Array.from({ length: 100 }, (_, id) => id), next_cursor: null },
    ],
    [
      "lists inside of its records are cut",
      { data: [{ tags: Array.from({ length: 21 }, (_, id) => id) }], next_cursor: null },
      {
        data: [{ tags: Array.from({ length: 20 }, (_, id) => id), cut: { tags: "the first 20 of 21" } }],
        next_cursor: null,
      },
    ],
    ["what is no text and no list stays", { a: null, b: 1.5, c: false }, { a: null, b: 1.5, c: false }],
  ])("%s", (_promise, whole, cut) => expect(shorten(whole)).toEqual({ value: cut, json: JSON.stringify(cut) }));

  test("the larger the answer, the shorter its texts", () => {
    const page = (count: number) => ({
      data: Array.from({ length: count }, () => ({ body: long })),
      next_cursor: null,
    });
    const sizes = [10, 100].map((count) => shorten(page(count)).json.length);
    expect(Math.max(...sizes)).toBeLessThan(60_000);
  });
});
