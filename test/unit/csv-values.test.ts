/** What an export writes into a cell and an import takes out of it again, whatever it is. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeFormula, unescapeFormula } from "../../src/kit/csv/csv-formulas.ts";
import { readList, writeList } from "../../src/kit/csv/csv-list.ts";

const odd = fc.string({
  unit: fc.constantFrom("a", "é", " ", "'", '"', "=", "+", "-", "@", "\t", "\r", "\n", ";", ",", "＝"),
  maxLength: 8,
});

describe("a cell that a spreadsheet would take for a formula", () => {
  test.each([
    ["=1+1", "'=1+1"],
    ["+44 20 7946 0018", "'+44 20 7946 0018"],
    ["-1", "'-1"],
    ["@here", "'@here"],
    ["\t=1", "'\t=1"],
    ["\r=1", "'\r=1"],
    ["＝1", "'＝1"],
    ["'=1", "''=1"],
    ["''+1", "'''+1"],
    ["'tis", "'tis"],
    ["a=1", "a=1"],
    ["", ""],
    ["'", "'"],
  ])("%j is written as %j", (value, cell) => {
    expect(escapeFormula(value)).toBe(cell);
    expect(unescapeFormula(cell)).toBe(value);
  });

  test("every value comes back, and none is a formula on the way", () => {
    fc.assert(
      fc.property(odd, (value) => {
        expect(unescapeFormula(escapeFormula(value))).toBe(value);
        expect(escapeFormula(value)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("tags in one cell", () => {
  test.each([
    [["VIP"], "VIP"],
    [["VIP", "new lead"], "VIP; new lead"],
    [["a; b", "c"], '"a; b"; c'],
    [['6" pipe', '"quoted"'], '"6"" pipe"; """quoted"""'],
    [["a, b"], "a, b"],
    [[], ""],
  ])("%j are written as %s", (names, cell) => {
    expect(writeList(names)).toBe(cell);
    expect(readList(cell)).toEqual(names);
  });

  test.each([
    ["new lead,summer", ["new lead", "summer"]],
    ["one; two, three", ["one", "two", "three"]],
    ['"a, b", c', ["a, b", "c"]],
    [" , ;; a ,", ["a"]],
    ['6" pipe, b', ['6" pipe', "b"]],
    ['"open, b', ['"open', "b"]],
  ])("of other programs %j are %j", (cell, names) => {
    expect(readList(cell, ",;")).toEqual(names);
  });

  test("all names come back, whatever they hold", () => {
    const name = odd.map((text) => text.trim()).filter((text) => text !== "");
    fc.assert(
      fc.property(fc.array(name, { maxLength: 6 }), (names) => {
        expect(readList(writeList(names))).toEqual(names);
      }),
      { numRuns: 2000 },
    );
  });
});
