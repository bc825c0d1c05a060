/** Tables for people: as wide as the terminal and no wider, whole in a pipe, and nothing that a name could break. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf } from "../../terminal/output/columns.ts";
import { printable, table } from "../../terminal/output/table.ts";

const rows = [
  { id: 1, name: "Ada Lovelace", email: "ada@example.com", tags: ["VIP", "lead"], seen: null },
  { id: 12, name: "山田太郎", email: "taro@example.jp", tags: [], seen: "2026-03-01T12:00:00.000Z" },
];
const columns = ["id", "name", "email", "tags", "seen"] as const;

function shown(width: number | null, cuts: (typeof columns)[number][] = []): string[] {
  return table(rows, columns, { width, cuts }).split("\n");
}

describe("a table", () => {
  test("lines its columns up, whatever they are written in", () => {
    expect(shown(null)).toEqual([
      "id  name          email            tags       seen",
      "1   Ada Lovelace  ada@example.com  VIP, lead  -",
      "12  山田太郎      taro@example.jp  -          2026-03-01T12:00:00.000Z",
    ]);
  });

  test("that fits is whole", () => {
    expect(shown(70)).toEqual(shown(null));
  });

  test("that is a little too wide is cut where it may be", () => {
    expect(shown(67, ["email"])).toEqual([
      "id  name          email         tags       seen",
      "1   Ada Lovelace  ada@example…  VIP, lead  -",
      "12  山田太郎      taro@exampl…  -          2026-03-01T12:00:00.000Z",
    ]);
  });

  test("that is far too wide is a line for each value, and those are whole", () => {
    expect(shown(40, ["email"])).toEqual([
      "id     1",
      "name   Ada Lovelace",
      "email  ada@example.com",
      "tags   VIP, lead",
      "seen   -",
      "",
      "id     12",
      "name   山田太郎",
      "email  taro@example.jp",
      "tags   -",
      "seen   2026-03-01T12:00:00.000Z",
    ]);
  });

  test("of long texts goes on below itself", () => {
    const text = "A sentence that says what it is, and then goes on.";
    expect(table([{ id: 1, text }], ["id", "text"], { width: 30 }).split("\n")).toEqual([
      "id    1",
      "text  A sentence that says",
      "      what it is, and then",
      "      goes on.",
    ]);
  });

  test("of none is a sentence", () => {
    expect(table([], ["id"], { width: 80 })).toBe("Nothing found.");
  });

  test("is never wider than the terminal, and in a pipe nothing is cut", () => {
    const cell = fc.string({ maxLength: 60, unit: fc.constantFrom("a", " ", "山", "😀", "e\u0301", "é") });
    const rows = fc.array(fc.record({ id: fc.nat(), name: cell, note: cell }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 24, max: 200 }), (rows, width) => {
        for (const line of table(rows, ["id", "name", "note"], { width, cuts: ["name", "note"] }).split("\n"))
          // A word that is longer than the terminal stands whole beside its name.
          if (columnsOf(line) > width) expect(line).toMatch(/^(name|note|) *\S+$/);
        const piped = table(rows, ["id", "name", "note"], { width: null }).split("\n");
        rows.forEach(({ name, note }, place) => {
          for (const text of [name, note]) expect(piped[place + 1]).toContain(text.trim());
        });
      }),
    );
  });
});

test.each([
  ["red\u001B[31m", "red [31m"],
  ["two\nlines\r\tand a tab", "two lines  and a tab"],
  ["\u202Egnp.exe", "gnp.exe"],
  ["a\u2028b", "a b"],
  ["👨‍👩‍👧 stays", "👨‍👩‍👧 stays"],
])("%j is printed as %j", (text, expected) => {
  expect(printable(text)).toBe(expected);
});
