/** Entity tags in headers (RFC 9110, 8.8.3 and 13.1), and which operations must take them. */
import { expect, test } from "vitest";
import { readEntityTags, toEntityTag } from "../../src/http/request/preconditions.ts";
import { endpoints, operations } from "../../src/operations.ts";

const strong = (...tags: string[]) => tags.map((opaque) => ({ isWeak: false, opaque }));

test.each([
  ["*", "*"],
  [" * ", "*"],
  ['"a"', strong('"a"')],
  ['""', strong('""')],
  ['"a", "b"', strong('"a"', '"b"')],
  ['"a","b"', strong('"a"', '"b"')],
  [', "a",\t,', strong('"a"')],
  ['"a,b"', strong('"a,b"')],
  ['"\u00e9!#~"', strong('"\u00e9!#~"')],
  ['W/"a"', [{ isWeak: true, opaque: '"a"' }]],
])("%j names %j", (header, tags) => {
  expect(readEntityTags(header)).toEqual(tags);
});

test.each([
  "",
  " ",
  ",",
  "a",
  '"a',
  'a"',
  '"a""b"',
  '"a" "b"',
  'w/"a"',
  'W/ "a"',
  "W/a",
  '*, "a"',
  '"a b"',
  '"a\u007f"',
  "'a'",
])("%j is no list of tags", (header) => {
  expect(readEntityTags(header)).toBeUndefined();
});

test("a header of the largest size is read in linear time", () => {
  const begun = performance.now();
  for (const piece of ['"a",', ",", " ", '"', 'W/"'])
    for (const end of ["", "x"]) readEntityTags(piece.repeat(16_384 / piece.length) + end);
  // White space that no tag follows.
  for (let times = 0; times < 10; times++) readEntityTags(`"a",${" ".repeat(16_384)}x`);
  expect(performance.now() - begun).toBeLessThan(1000);
});

test("a tag is of the bytes", () => {
  expect(toEntityTag("{}")).toMatch(/^"[\w-]{22}"$/);
  expect(toEntityTag("{}")).toBe(toEntityTag("{}"));
  expect(toEntityTag("{}")).not.toBe(toEntityTag("{} "));
});

test("every PATCH and DELETE names the record that If-Match is about", () => {
  const missing = endpoints.filter(
    ({ method, operation }) => /PATCH|DELETE/.test(method) && operation.record === undefined,
  );
  expect(
    missing.map(
      ({ operation: { name } }) =>
        `Add  record: …Record,  to ${name}: a shownRecord that says how it is locked and read.`,
    ),
  ).toEqual([]);
});

test("every operation that answers such a record names it", () => {
  const shown = new Map(operations.flatMap(({ record }) => (record === undefined ? [] : [[record.gives, record]])));
  const missing = endpoints.filter(
    ({ operation: { gives, record } }) => gives !== null && shown.get(gives) !== record && shown.has(gives),
  );
  expect(missing.map(({ operation: { name } }) => `${name} answers a record: add its  record`)).toEqual([]);
});
