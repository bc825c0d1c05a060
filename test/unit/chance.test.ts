/** Samples: as many rows as asked for, in their order, everything with CRM_TEST_RUNS=all. */
import { expect, test } from "vitest";
import { isAll, repetitions, runsOf, sampleOf } from "../support/chance.ts";

const rows = Array.from({ length: 12 }, (_, place) => place);

test("a sample is some of the rows, in their order", () => {
  for (let time = 0; time < 20; time++) {
    const sample = sampleOf("rows", 4, rows);
    expect(sample).toHaveLength(repetitions(4, rows.length));
    expect(new Set(sample).size).toBe(sample.length);
    expect(sample).toEqual(sample.toSorted((a, b) => a - b));
  }
});

test("everything is taken where all is asked for, and never more than there is", () => {
  expect(repetitions(4, 10)).toBe(isAll ? 10 : Math.min(10, 4 * Number(process.env["CRM_TEST_RUNS"] ?? 1)));
  expect(runsOf("runs", 7, 5)).toMatchObject({ numRuns: 5 });
  expect(sampleOf("rows", 40, rows)).toEqual(rows);
});
