/** What the context of a run decides of a filter, before the database is asked. */
import { expect, test } from "vitest";
import { remainingConditions } from "../../src/crm/workflows/engine/filter-match.ts";

const of = (op: string, value: unknown) => [{ field: "context.form.name", op, value }];

test.each([
  ["eq, letter case aside", of("eq", " OFFER "), true],
  ["eq of another kind", of("eq", 5), false],
  ["neq", of("neq", "Price"), true],
  ["in", of("in", ["a", "offer"]), true],
  ["nin", of("nin", ["a", "offer"]), false],
  ["contains", of("contains", "ff"), true],
  ["starts_with", of("starts_with", "ff"), false],
  ["is_null of what there is", of("is_null", true), false],
  ["is_null of what there is not", [{ field: "context.form.name.length", op: "is_null", value: true }], true],
  ["what every object has", [{ field: "context.constructor", op: "is_null", value: true }], true],
  ["any", [{ any: [...of("eq", "Price"), ...of("gt", "o")] }], true],
])("%s", (_what, when, holds) => {
  expect(remainingConditions(when, { form: { name: "Offer" } })).toEqual(holds ? [] : undefined);
});

test("what many conditions ask of the context is folded once, however many they are", () => {
  let asked = 0;
  const context = {
    get text() {
      asked += 1;
      return "x".repeat(1000);
    },
  };
  const when = [{ any: Array.from({ length: 20 }, () => ({ field: "context.text", op: "contains", value: "y" })) }];
  for (let node = 0; node < 50; node++) expect(remainingConditions(when, context)).toBeUndefined();
  expect(asked).toBe(1);
});
