/** Samples: as many rows as asked for, in their order, and CRM_TEST_RUNS times as many. */
import { expect, test } from "vitest";
import { repetitions, runsOf, sampleOf } from "../support/chance.ts";

const rows = Array.from({ length: 12 }, (_, place) => place);

test("a sample is some of the rows, in their order", () => {
  for (let time = 0; time < 20; time++) {
    const sample = sampleOf("rows", 4, rows);
    expect(sample).toHaveLength(repetitions(4, rows.length));
    expect(new Set(sample).size).toBe(sample.length);
    expect(sample).toEqual(sample.toSorted((a, b) => a - b));
  }
});

test("as many rounds are taken as are asked for, and never more than there are", () => {
  const runs = process.env["CRM_TEST_RUNS"] ?? "1";
  expect(repetitions(4, 10)).toBe(runs === "all" ? 10 : Math.min(10, 4 * Number(runs)));
  expect(runsOf("runs", 7, 5)).toMatchObject({ numRuns: 5 });
  expect(sampleOf("rows", 40, rows)).toEqual(rows);
});
