/** A rule of redaction that would not be applied is refused where its schema is first used. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { redact, scopesToSee, withScope } from "../../src/operation/redaction.ts";
import { operations } from "../../src/operations.ts";

const email = z.object({ email: withScope("contacts.readonly", null, z.string().nullable()) });
const stranger = { scopes: ["tasks.readonly" as const] };

describe("a rule in", () => {
  test.each([
    ["an object", email, { email: "ada@example.com" }, { email: null }],
    ["a list", z.array(email), [{ email: "ada@example.com" }], [{ email: null }]],
    ["what may be missing", email.nullable(), null, null],
  ])("%s is applied", (_where, schema, value, shown) => {
    expect(redact<unknown>(schema, stranger, value)).toEqual(shown);
  });

  test.each([
    ["a union", z.union([email, z.object({ id: z.int() })])],
    ["a union of a list", z.object({ data: z.array(z.union([z.int(), email])) })],
    ["a record", z.record(z.string(), email)],
  ])("%s is refused", (_where, schema) => {
    expect(() => scopesToSee(schema)).toThrow(/shown to all/);
  });

  test("results of operations is none of these", () => {
    const scopes = new Set(operations.flatMap(({ gives }) => (gives === null ? [] : scopesToSee(gives))));
    expect([...scopes]).toContain("contacts.readonly");
  });
});
