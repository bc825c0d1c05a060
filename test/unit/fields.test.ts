/** The builders of input schemas: what each takes, what it makes of it, the sentence it refuses with, and how OpenAPI sees it. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import {
  emptyableText,
  flag,
  nullableEmail,
  nullableId,
  nullableText,
  sentencesOf,
  text,
  timeZone,
} from "../../src/kit/input/fields.ts";

const left_out = Symbol("left out");

/** What a schema of one field, `first_name`, makes of a value: the field it gives, or the sentences it refuses with. */
function read(field: z.ZodType, value: unknown): unknown {
  const result = z.object({ first_name: field }).safeParse(value === left_out ? {} : { first_name: value });
  if (!result.success) return sentencesOf(result.error);
  return Object.hasOwn(result.data, "first_name") ? result.data.first_name : left_out;
}

const refused = (predicate: string) => ({ first_name: [`The first name field ${predicate}`] });
const required = refused("is required.");
const notText = refused("must be a string.");
const tooLong = refused("must not be longer than 5 characters.");
const notFlag = refused("must be true or false.");
const notId = refused("must be a positive integer.");
const notEmail = refused("must be a valid email address.");
const notZone = refused("must be an IANA time zone name, such as America/New_York.");
const nul = refused("must not contain NUL bytes.");

type Row = [given: unknown, becomes: unknown];

function table(field: z.ZodType, rows: Row[]): void {
  test.each(rows)("%j → %j", (given, becomes) => {
    expect(read(field, given)).toStrictEqual(becomes);
  });
}

describe("text(5), required", () => {
  table(text(5), [
    ["Jane", "Jane"],
    [" Jane\n", "Jane"],
    ["abcde", "abcde"],
    ["😀😀😀😀😀", "😀😀😀😀😀"],
    ["  abcde  ", "abcde"],
    ["abcdef", tooLong],
    ["😀😀😀😀😀😀", tooLong],
    ["", required],
    ["   ", required],
    [null, required],
    [left_out, required],
    ["a\0b", nul],
    ["\0", nul],
    ["\u200b\u200d\ufeff", required],
    ["\u0001\u001b", required],
    ["\u200bJane", "\u200bJane"],
    [5, notText],
    [true, notText],
    [["Jane"], notText],
    [{}, notText],
  ]);
});

describe("text() without a limit", () => {
  table(text(), [
    ["x".repeat(100_000), "x".repeat(100_000)],
    ["", required],
  ]);
});

describe("emptyableText(5), required", () => {
  table(emptyableText(5), [
    ["Doe", "Doe"],
    ["", ""],
    ["\u200b", ""],
    ["  ", ""],
    ["abcdef", tooLong],
    [null, required],
    [left_out, required],
    [5, notText],
    ["a\0", nul],
  ]);
});

describe("nullableText(5)", () => {
  table(nullableText(5), [
    [" Acme ", "Acme"],
    ["", null],
    ["\u3164\u0007", null],
    ["  ", null],
    [null, null],
    [left_out, left_out],
    ["abcdef", tooLong],
    [5, notText],
    [false, notText],
    ["a\0", nul],
  ]);
});

describe("nullableEmail(40)", () => {
  const long = `${"a".repeat(30)}@example.org`;
  const longest = `${"a".repeat(28)}@example.org`;
  table(nullableEmail(40), [
    [" Jane.Doe+crm@Example.ORG ", "Jane.Doe+crm@Example.ORG"],
    ["o'brien@example.co.uk", "o'brien@example.co.uk"],
    ["a@b.photography", "a@b.photography"],
    ["a@xn--80ak6aa92e.xn--p1ai", "a@xn--80ak6aa92e.xn--p1ai"],
    ["müller@bücher.example", "müller@bücher.example"],
    ["a!#$%&*/=?^_`{|}~-b@example.org", "a!#$%&*/=?^_`{|}~-b@example.org"],
    [longest, longest],
    ["", null],
    [" ", null],
    [null, null],
    [left_out, left_out],
    ["jane", notEmail],
    ["jane@", notEmail],
    ["@example.org", notEmail],
    ["jane@example", notEmail],
    ["jane@@example.org", notEmail],
    ["jane doe@example.org", notEmail],
    ["jane@exa mple.org", notEmail],
    [".jane@example.org", notEmail],
    ["jane..doe@example.org", notEmail],
    ["jane.@example.org", notEmail],
    ["jane@example..org", notEmail],
    ["jane@-example.org", notEmail],
    ["jane@127.0.0.1", notEmail],
    ["jane@example.org\nbcc: x@example.org", notEmail],
    ["Jane <jane@example.org>", notEmail],
    ["jane@example.org,joe@example.org", notEmail],
    [long, refused("must not be longer than 40 characters.")],
    [5, notText],
  ]);

  it("judges a hostile address as fast as any other", () => {
    const started = performance.now();
    for (const part of ["a.", "a@", "a-", "1.", "é"]) {
      expect(read(nullableEmail(), `a@${part.repeat(20_000)}!`)).toStrictEqual(notEmail);
      expect(read(nullableEmail(), `${part.repeat(20_000)}!`)).toStrictEqual(notEmail);
    }
    expect(performance.now() - started).toBeLessThan(10_000); // a pattern that backtracks takes minutes
  });
});

describe("flag()", () => {
  table(flag(), [
    [true, true],
    [false, false],
    [left_out, left_out],
    [null, notFlag],
    ["true", notFlag],
    [1, notFlag],
    [0, notFlag],
    ["", notFlag],
  ]);
});

describe("nullableId()", () => {
  table(nullableId(), [
    [1, 1],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [null, null],
    ["", null],
    [" ", null],
    [left_out, left_out],
    [0, notId],
    [-1, notId],
    [1.5, notId],
    [2 ** 53, notId],
    ["1", 1],
    [" 12 ", 12],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["9007199254740992", notId],
    ["0", notId],
    ["-1", notId],
    ["+1", notId],
    ["1.5", notId],
    ["1e3", notId],
    ["0x1", notId],
    ["١", notId],
    [true, notId],
    [[1], notId],
  ]);
});

describe("timeZone()", () => {
  table(timeZone(), [
    ["America/New_York", "America/New_York"],
    [" europe/berlin ", "Europe/Berlin"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["", null],
    [null, null],
    [left_out, left_out],
    ["PST", notZone],
    ["+02:00", notZone],
    ["Mars/Base", notZone],
    ["a\0", nul],
    [5, notText],
  ]);
});

test("no value whatever makes a builder throw", () => {
  const contact = z.object({
    a: text(5),
    b: emptyableText(5),
    c: nullableText(5),
    d: nullableEmail(5),
    e: flag(),
    f: nullableId(),
    g: timeZone(),
  });
  const some = fc.oneof(fc.anything(), fc.string());
  fc.assert(
    fc.property(fc.record({ a: some, b: some, c: some, d: some, e: some, f: some, g: some }), (input) => {
      const result = contact.safeParse(input);
      const sentences = result.success ? [] : Object.values(sentencesOf(result.error)).flat();
      expect(sentences.filter((sentence) => !/^The [a-g] field (is|must) [^\n]+\.$/.test(sentence))).toEqual([]);
      expect(sentences.length > 0).toBe(!result.success);
    }),
    { numRuns: 500 },
  );
});

describe("sentencesOf", () => {
  const schema = z.object({
    first_name: text(5),
    owner_user_id: nullableId(),
    kind: z.enum(["text", "note"]),
    count: z.number().min(1).max(9),
    labels: z.array(z.string().max(3)).max(2),
    contacts: z.array(z.object({ email: nullableEmail(255) })),
    extra: z.record(z.string(), z.number()),
  });
  const good = { first_name: "Jane", kind: "text", count: 1, labels: [], contacts: [], extra: {} };

  test.each<[string, unknown, Record<string, string[]>]>([
    [
      "several fields, in the order of the schema",
      { ...good, owner_user_id: "one", first_name: "" },
      {
        first_name: ["The first name field is required."],
        owner_user_id: ["The owner user id field must be a positive integer."],
      },
    ],
    [
      "nested fields",
      { ...good, contacts: [{}, { email: "x" }] },
      {
        "contacts.1.email": ["The contacts.1.email field must be a valid email address."],
      },
    ],
    [
      "a missing field that zod itself judges",
      { ...good, labels: undefined },
      { labels: ["The labels field is required."] },
    ],
    ["a wrong list", { ...good, labels: "a" }, { labels: ["The labels field must be a list."] }],
    ["a long list", { ...good, labels: ["a", "b", "c"] }, { labels: ["The labels field must have at most 2 items."] }],
    [
      "a long text",
      { ...good, labels: ["abcd"] },
      { "labels.0": ["The labels.0 field must have at most 3 characters."] },
    ],
    ["a word of no set", { ...good, kind: "call" }, { kind: ["The kind field must be one of text, note."] }],
    ["a small number", { ...good, count: 0 }, { count: ["The count field must be at least 1."] }],
    ["a big number", { ...good, count: 10 }, { count: ["The count field must be at most 9."] }],
    ["no number", { ...good, count: "1" }, { count: ["The count field must be a number."] }],
    ["no object", { ...good, extra: 5 }, { extra: ["The extra field must be an object."] }],
    ["a body that is no object", [], { body: ["The body field must be an object."] }],
  ])("tells of %s", (_what, input, sentences) => {
    const { error } = schema.safeParse(input);
    expect(error && sentencesOf(error)).toStrictEqual(sentences);
  });

  it("says the same thing about a field once, and different things one after the other", () => {
    const strange = z.string().check((context) => {
      for (const message of ["must rhyme.", "must rhyme.", "must scan."]) {
        context.issues.push({ code: "custom", input: context.value, message });
      }
    });
    const { error } = z.object({ last_line: strange }).safeParse({ last_line: "x" });
    expect(error && sentencesOf(error)).toStrictEqual({
      last_line: ["The last line field must rhyme.", "The last line field must scan."],
    });
  });

  it("takes a field called __proto__ for a field", () => {
    const error = new z.ZodError([{ code: "custom", path: ["__proto__"], message: "is unknown.", input: 1 }]);
    expect(Object.entries(sentencesOf(error))).toEqual([["__proto__", ["The   proto   field is unknown."]]]);
  });
});

describe("the JSON Schema of an input", () => {
  const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] });
  const schema = z.object({
    first_name: text(255),
    last_name: emptyableText(255),
    body: text(),
    company: nullableText(10),
    email: nullableEmail(255),
    dnd: flag(),
    owner_user_id: nullableId(),
    timezone: timeZone(),
  });
  const shown = z.toJSONSchema(schema, { io: "input" });

  test.each(
    Object.entries({
      first_name: { type: "string", minLength: 1, maxLength: 255 },
      last_name: { type: "string", maxLength: 255 },
      body: { type: "string", minLength: 1 },
      company: orNull({ type: "string", maxLength: 10 }),
      email: orNull({ type: "string", format: "email", maxLength: 255 }),
      dnd: { type: "boolean" },
      owner_user_id: orNull({ type: "integer", exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      timezone: orNull({ type: "string", examples: ["America/New_York"] }),
    }),
  )("shows %s as %j", (field, expected) => {
    expect(shown.properties?.[field]).toEqual(expected);
  });

  it("asks for the required fields alone, and lets unknown ones pass", () => {
    expect(shown.required).toEqual(["first_name", "last_name", "body"]);
    expect(shown.additionalProperties).toBeUndefined();
  });
});
