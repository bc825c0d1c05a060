/** Filters as they are typed on a command line. */
import { expect, test } from "vitest";
import { parseFilterArgument } from "../../src/crm/contacts/list/contact.filter-arguments.ts";
import { parseFilters } from "../../src/crm/contacts/list/contact.filters.ts";

test.each<[string, unknown[]]>([
  ["city=Boston", [{ field: "city", op: "eq", value: "Boston" }]],
  ["city=New York ", [{ field: "city", op: "eq", value: "New York" }]],
  ["company=a=b", [{ field: "company", op: "eq", value: "a=b" }]],
  ["company:contains=engines", [{ field: "company", op: "contains", value: "engines" }]],
  ["company=", [{ field: "company", op: "eq", value: null }]],
  ["company:neq=", [{ field: "company", op: "neq", value: null }]],
  ["company:is_null=true", [{ field: "company", op: "is_null", value: true }]],
  ["city:in=Boston, New York", [{ field: "city", op: "in", value: ["Boston", "New York"] }]],
  ["id:gt=12", [{ field: "id", op: "gt", value: 12 }]],
  ["zip=02134", [{ field: "zip", op: "eq", value: "02134" }]],
  ["dnd=true", [{ field: "dnd", op: "eq", value: true }]],
  ["updated_at:gt=2026-03-01T00:00:00Z", [{ field: "updated_at", op: "gt", value: "2026-03-01T00:00:00Z" }]],
  ["tag=VIP", [{ field: "tag", op: "eq", value: "VIP" }]],
  ["tag=2026", [{ field: "tag", op: "in", value: ["2026", 2026] }]],
  ["tag:nin=VIP,3", [{ field: "tag", op: "nin", value: ["VIP", "3", 3] }]],
  [
    '{"city": "Boston", "dnd": false}',
    [
      { field: "city", op: "eq", value: "Boston" },
      { field: "dnd", op: "eq", value: false },
    ],
  ],
  [
    '{"any": [{"field": "city", "op": "eq", "value": "Boston"}]}',
    [{ any: [{ field: "city", op: "eq", value: "Boston" }] }],
  ],
  ['[{"field": "id", "op": "lt", "value": 3}]', [{ field: "id", op: "lt", value: 3 }]],
])("%s", (text, conditions) => {
  expect(parseFilterArgument(text)).toEqual(conditions);
  expect(() => parseFilters(conditions, "filters")).not.toThrow();
});

test.each(["city", "=Boston", "city Boston", "a b=c", "[1", "{]", ""])("%j is no filter", (text) => {
  expect(parseFilterArgument(text)).toBeUndefined();
});

test.each([
  ["ctiy=Boston", 'names the field "ctiy"'],
  ["city:gt=Boston", 'compares city by "gt"'],
  ["id=twelve", 'compares id with "twelve"; it takes a whole number.'],
  ["dnd=yes", 'compares dnd with "yes"; it takes true or false.'],
])("%s is refused by what it says", (text, sentence) => {
  expect(() => parseFilters(parseFilterArgument(text), "filters")).toThrow(sentence);
});
