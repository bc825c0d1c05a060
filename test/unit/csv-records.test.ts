/** CSV as people and programs write it: what is a record, what is broken, and where the reading goes on. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCsvLine } from "../../src/kit/csv/csv-line.ts";
import { readRecords } from "../../src/crm/contacts/transfer/csv-records.ts";
import type { TextRecord } from "../../src/crm/contacts/transfer/csv-records.ts";

/** The records of `text`, which comes in pieces of `size` characters. */
async function read(text: string, { delimiter = ",", size = 7 } = {}): Promise<TextRecord[]> {
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));
  const records: TextRecord[] = [];
  for await (const record of readRecords(pieces[Symbol.iterator](), delimiter)) records.push(record);
  return records;
}

/** `2: a|b` for each record, and for a broken one its sentence after `✗` with the rest of its line. */
function told({ line, cells, broken }: TextRecord): string {
  const shown = JSON.stringify(cells.join("|")).slice(1, -1);
  return `${line}: ${shown}${broken === undefined ? "" : ` ✗ ${broken.because} [${broken.rest}]`}`;
}

const misplaced =
  "has a misplaced quote: enclose a cell that contains quotes in quotes, and double each quote inside it.";
const unclosed = "opens a quote that is not closed.";

describe("readRecords", () => {
  test.each<[what: string, text: string, expected: string[]]>([
    ["nothing", "", []],
    ["cells and lines", "a,b\nc,d\n", ["1: a|b", "2: c|d"]],
    ["a last line without an end", "a,b\nc,d", ["1: a|b", "2: c|d"]],
    ["empty cells", ",\n,,x,\n", ["1: |", "2: ||x|"]],
    ["empty lines", "\n\na\n\n\nb\n\n", ["3: a", "6: b"]],
    ["ends of every kind", "a\r\nb\rc\nd", ["1: a", "2: b", "3: c", "4: d"]],
    ["quoted cells", '"a","b,c"\n"",x\n', ["1: a|b,c", "2: |x"]],
    ["quotes in quotes", '"a ""b"" c",""""\n', ['1: a \\"b\\" c|\\"']],
    ["line breaks in quotes", '"a\r\nb\nc\rd",x\ny\n', ["1: a\\r\\nb\\nc\\rd|x", "5: y"]],
    ["blanks as they are", " a , b\n", ["1:  a | b"]],
    ["a quote in a bare cell", `a,6'2",b\nc\n`, [`1: a ✗ ${misplaced} [6'2",b]`, "2: c"]],
    ["text behind a quote that is closed", 'a,"b"c,d\ne\n', [`1: a ✗ ${misplaced} ["b"c,d]`, "2: e"]],
    ["a quote behind a blank", 'a, "b"\nc\n', [`1: a ✗ ${misplaced} [ "b"]`, "2: c"]],
    ["whole cells before a broken one", '"x\ny",z,"b"c\nd\n', [`1: x\\ny|z ✗ ${misplaced} ["b"c]`, "3: d"]],
    ["a quote that is never closed", 'a\nb,"c\nd,e\nf\n', ["1: a", `2: b ✗ ${unclosed} ["c]`, "3: d|e", "4: f"]],
    ["one that another line's quote seems to close", 'a,"b\nc,"d"\ne\n', [`1: a ✗ ${unclosed} ["b]`, "2: c|d", "3: e"]],
    ["a lone quote at the end", 'a\n"', ["1: a", `2:  ✗ ${unclosed} ["]`]],
  ])("%s", async (_what, text, expected) => {
    // However the pieces fall, also between CR and LF, and between two quotes.
    for (const size of [1, 2, 3, 7, 1000]) expect((await read(text, { size })).map(told)).toEqual(expected);
  });

  const mebibyte = 2 ** 20;
  const large = "is larger than 1 MiB.";

  test.each<[what: string, text: string, expected: string[]]>([
    ["of one bare cell", `a\nb,${"x".repeat(2 * mebibyte)},c\nd\n`, ["1: a", `2:  ✗ ${large} []`, "3: d"]],
    [
      "of one cell in quotes, with quotes and line breaks in it",
      `a\nb,"${'say ""x""\r\n'.repeat(mebibyte / 8)}",c\nd\n`,
      ["1: a", `2:  ✗ ${large} []`, `${mebibyte / 8 + 3}: d`],
    ],
    ["of many cells", `a\n${"x,".repeat(mebibyte)}\nd\n`, ["1: a", `2:  ✗ ${large} []`, "3: d"]],
    [
      "of one line with quotes out of place",
      `a\nb"${'x"'.repeat(2 * mebibyte)}\nd\n`,
      ["1: a", `2:  ✗ ${large} []`, "3: d"],
    ],
    ["at the very end", `a\n${"x".repeat(mebibyte * 2)}`, ["1: a", `2:  ✗ ${large} []`]],
    [
      "that is none: a quote that the next one does not close",
      `a\nb,"c\n${"d,e\n".repeat(mebibyte / 2)}f,"g"\nh\n`,
      [
        "1: a",
        `2:  ✗ opens a quote that is not closed; the lines up to ${mebibyte / 2 + 2} were skipped with it. []`,
        `${mebibyte / 2 + 3}: f|g`,
        `${mebibyte / 2 + 4}: h`,
      ],
    ],
    [
      "that is none: a quote that nothing closes",
      `a\nb,"c\n${"d,e\n".repeat(mebibyte / 2)}`,
      ["1: a", `2:  ✗ opens a quote that is not closed; the lines up to ${mebibyte / 2 + 2} were skipped with it. []`],
    ],
  ])("a record too large to be held, %s", async (_what, text, expected) => {
    expect((await read(text, { size: 65_536 })).map(told)).toEqual(expected);
  });

  test("a record of many cells in many pieces is parsed once, not again with each piece", async () => {
    const began = process.cpuUsage();
    const records = await read(`a\n${",".repeat(mebibyte / 2)}\nb\n`, { size: 200 });
    expect(records.map(told)).toEqual(["1: a", "2:  ✗ has more than 16,384 cells. []", "3: b"]);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000);
  }, 60_000);

  const cell = fc.string({
    unit: fc.constantFrom("a", "é", "😀", " ", '"', ",", ";", "\t", "\r", "\n", "\r\n", "'", "="),
  });

  test("what is written is read, whatever stands in it and however the pieces fall", async () => {
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom(",", ";", "\t"),
        fc.integer({ min: 1, max: 9 }),
        async (cells, delimiter, size) => {
          const text = cells.map((row) => toCsvLine(row, delimiter)).join("");
          expect((await read(text, { delimiter, size })).map((record) => record.cells)).toEqual(cells);
        },
      ),
    );
  });

  test("whatever the text, it ends, and every line is read or named", async () => {
    await fc.assert(
      fc.asyncProperty(cell, fc.integer({ min: 1, max: 9 }), async (text, size) => {
        const records = await read(text, { size });
        const ends = records.map(({ end }) => end);
        expect(ends).toEqual(ends.toSorted((a, b) => a - b));
        // Nothing but ends of lines is in no record.
        const said = records.flatMap(({ cells, broken }) => [...cells, broken?.rest ?? ""]).join("");
        const letters = (whole: string) => whole.replaceAll(/[^aé😀'=]/gu, "");
        expect(letters(said)).toBe(letters(text));
      }),
      { numRuns: 1000 },
    );
  });
});
