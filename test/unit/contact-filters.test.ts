/** The `filters` parameter as it is read: what it comes to, and every way in which it is refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseFilters, parseFilterText } from "../../src/crm/contacts/list/contact.filters.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";

/** Groups as `field op values`, joined by " or "; a list of groups. */
function read(filters: unknown): string[] {
  const groups = parseFilters(filters, "filters");
  return groups.map((group) =>
    group.map(({ field, op, values }) => `${field} ${op} ${JSON.stringify(values)}`).join(" or "),
  );
}

function refusal(text: string): string {
  return refusalOf(() => parseFilterText(text), "filters");
}

/** The sentence that is told of `place`, and of nothing else. */
function refusalOf(read: () => unknown, place: string): string {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    expect(Object.keys(error.errors)).toEqual([place]);
    return error.message;
  }
  throw new Error("nothing was refused");
}

describe("parseFilters", () => {
  test.each([
    [
      "a list is AND",
      [
        { field: "city", op: "eq", value: "Rome" },
        { field: "dnd", op: "neq", value: true },
      ],
      ['city eq ["Rome"]', "dnd neq [true]"],
    ],
    [
      "any is OR",
      [
        {
          any: [
            { field: "city", op: "eq", value: "Rome" },
            { field: "zip", op: "in", value: ["1", "2"] },
          ],
        },
      ],
      ['city eq ["Rome"] or zip in ["1","2"]'],
    ],
    ["any may be the whole", { any: [{ field: "id", op: "gt", value: 3 }] }, ["id gt [3]"]],
    [
      "an object is equality",
      { city: "Rome", owner_user_id: null, dnd: false },
      ['city eq ["Rome"]', "owner_user_id is_null [true]", "dnd eq [false]"],
    ],
    [
      "ids may be digits in strings",
      [{ field: "owner_user_id", op: "in", value: ["7", 8] }],
      ["owner_user_id in [7,8]"],
    ],
    ["nothing is no condition", [], []],
    ["nor is an empty object", {}, []],
    ["null is empty", [{ field: "city", op: "neq", value: null }], ["city is_null [false]"]],
    ["so is an empty text", [{ field: "city", op: "eq", value: "  " }], ["city is_null [true]"]],
    ["texts are trimmed", { city: " Rome " }, ['city eq ["Rome"]']],
    [
      "a time in any offset",
      [{ field: "created_at", op: "gte", value: "2026-03-01T12:00:00+02:00" }],
      ['created_at gte ["2026-03-01T10:00:00.000Z"]'],
    ],
    ["a tag by id and by name", [{ field: "tag", op: "in", value: [5, "vip"] }], ['tag in [5,"vip"]']],
    ["is_null takes false", [{ field: "email", op: "is_null", value: false }], ["email is_null [false]"]],
  ] satisfies [string, unknown, string[]][])("%s", (_name, filters, expected) => {
    expect(read(filters)).toEqual(expected);
  });

  test.each([
    ["{", "must be JSON"],
    ["null", "must be JSON"],
    ["[[]]", "must be JSON"],
    ['[{"field":"shoe_size","op":"eq","value":1}]', 'names the field "shoe_size"; there are id, name, '],
    ['{"constructor":"x"}', 'names the field "constructor"'],
    ['{"any":[],"city":"x"}', "at least one condition"],
    ['[{"any":[{"field":"id","op":"eq","value":1}],"city":"x"}]', "nothing beside it"],
    ['[{"any":[{"any":[{"field":"id","op":"eq","value":1}]}]}]', "one level of"],
    ['[{"field":"city","op":"eq","value":"x","not":true}]', '"not" is none of them'],
    [
      '[{"field":"city","op":"gt","value":"x"}]',
      'compares city by "gt"; it takes eq, neq, in, nin, is_null, contains, starts_with.',
    ],
    ['[{"field":"city","value":"x"}]', "compares city by nothing"],
    ['[{"field":"city","op":"eq"}]', "compares city with nothing; it takes text"],
    ['[{"field":"city","op":"contains","value":""}]', "it takes text that is not empty"],
    ['[{"field":"city","op":"contains","value":null}]', "it takes text that is not empty"],
    ['[{"field":"city","op":"in","value":["x",null]}]', "compares city with null"],
    ['[{"field":"city","op":"in","value":"x"}]', "a list of 1 to 100 values"],
    [
      JSON.stringify([{ field: "city", op: "nin", value: Array.from({ length: 101 }, () => "x") }]),
      "a list of 1 to 100 values",
    ],
    ['[{"field":"id","op":"eq","value":1.5}]', "it takes a whole number"],
    ['[{"field":"id","op":"eq","value":"one"}]', "it takes a whole number"],
    ['[{"field":"id","op":"eq","value":"1.5"}]', "it takes a whole number"],
    ['[{"field":"id","op":"eq","value":["1"]}]', "it takes a whole number"],
    ['[{"field":"value_cents","op":"eq","value":"1"}]', "it takes a whole number"],
    ['[{"field":"id","op":"lt","value":9007199254740992}]', "it takes a whole number"],
    ['[{"field":"dnd","op":"eq","value":1}]', "it takes true or false"],
    ['[{"field":"city","op":"is_null","value":null}]', "it takes true or false"],
    ['[{"field":"created_at","op":"gt","value":"2026-03-01T12:00:00"}]', "a timestamp with an offset or Z"],
    ['[{"field":"created_at","op":"gt","value":"2026-02-30T12:00:00Z"}]', "a timestamp with an offset or Z"],
    ['[{"field":"created_at","op":"gt","value":"0000-01-01T00:00:00Z"}]', "a timestamp with an offset or Z"],
    ['[{"field":"created_at","op":"gt","value":"9999-12-31T23:59:59-23:59"}]', "a timestamp with an offset or Z"],
    ['[{"field":"tag","op":"eq","value":0}]', "the name of a tag or its id"],
    ['[{"field":"tag","op":"eq","value":null}]', undefined],
    ['[{"field":"city","op":"eq","value":"a\\u0000b"}]', "no NUL bytes"],
    ['[{"field":"city","op":"contains","value":"a\\ud800"}]', "valid Unicode"],
  ] satisfies [string, string | undefined][])("%s", (text, sentence) => {
    if (sentence === undefined)
      expect(parseFilterText(text)).toEqual([[{ field: "tag", op: "is_null", values: [true] }]]);
    else expect(refusal(text)).toContain(sentence);
  });

  const deep = (open: string, close: string) => `${open.repeat(2000)}1${close.repeat(2000)}`;
  test.each([
    ["a list for one of several", `{"any":${deep("[", "]")}}`, "must be JSON"],
    ["a value", `{"city":${deep("[", "]")}}`, "compares city with [[[[[…]]]]]; it takes text"],
    ["a field", `[{"field":${deep('{"a":', "}")}}]`, 'names the field {"a":{"a":{"a":{"a":{…}}}}};'],
    ["an operator", `[{"field":"dnd","op":${deep("[", "]")}}]`, "compares dnd by [[[[[…]]]]]; it takes eq"],
    ["whether it is null", `[{"field":"dnd","op":"is_null","value":${deep("[", "]")}}]`, "with [[[[[…]]]]]; it takes"],
  ])("%s that is thousands of lists deep is refused", (_name, text, sentence) => {
    expect(refusal(text)).toContain(sentence);
  });

  test("a value is blamed on the place that it came from", () => {
    const sentence = refusalOf(() => parseFilters({ shoe_size: 1 }, "exit_when"), "exit_when");
    expect(sentence).toContain('The exit when field names the field "shoe_size"');
  });

  test("twenty conditions pass and twenty-one do not, those inside any counted", () => {
    const conditions = (count: number) => Array.from({ length: count }, () => ({ field: "id", op: "eq", value: 1 }));
    expect(parseFilters([...conditions(8), { any: conditions(12) }], "filters").flat().length).toBe(20);
    expect(refusal(JSON.stringify([...conditions(8), { any: conditions(13) }]))).toContain("more than 20 conditions");
  });

  test("whatever is sent is read or refused in one sentence", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          parseFilterText(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Invalid);
          expect((error as Invalid).message.length).toBeLessThan(600);
        }
      }),
    );
  });
});
