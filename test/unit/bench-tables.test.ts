/** The tables of docs/performance.md that the benchmark renders from what it measured. */
import { expect, test } from "vitest";
import { toTables } from "../bench/findings.ts";
import type { Finding } from "../bench/findings.ts";
import { ofDatabase, processorPrefix, toProcessorTable } from "../bench/processor-table.ts";

const time = (what: string, kind: "sqlite" | "postgres", value: number): Finding => ({
  what: `${processorPrefix}${what}`,
  target: null,
  kind,
  value,
});

test("processor times stand beside what 4, 16 and 64 cores bear; one core at a time writes to SQLite", () => {
  const table = toProcessorTable([
    time("get one full contact", "sqlite", 250),
    time("get one full contact", "postgres", 300),
    time(`get one full contact${ofDatabase}`, "postgres", 200),
    time("create a contact", "sqlite", 400),
    time("create a contact", "postgres", 500),
  ]);
  const [, , get, create] = table.split("\n");
  expect(get).toBe("| get one full contact | 250 | 300 | 200 | 16,000; 64,000; 260,000 | 8,000; 32,000; 130,000 |");
  // What PostgreSQL takes for it is not known, so neither is the sum.
  expect(create).toBe("| create a contact | 400 | 500 |  | 2,500 |  |");
});

test("a value that misses its target is bold, in the table of its kind", () => {
  const ratio = (median: number) => ({ median, low: median, high: median });
  const tables = toTables([
    { what: "get", target: { least: 0.8 }, kind: "sqlite", value: ratio(0.7) },
    { what: "crm --help", target: { most: 1.3 }, kind: null, value: ratio(1.1) },
    { what: "get: 10,000 → 1,000,000 contacts", target: { most: 1.3 }, kind: "sqlite", value: ratio(1.4) },
    { what: "get", target: { least: 0.75 }, kind: "sqlite", value: ratio(0.9), ofBare: true },
  ]);
  expect(tables.split("\n").filter((line) => line.startsWith("| get") || line.startsWith("| crm"))).toEqual([
    "| get | ≥ 0.8 | **0.70 (0.70–0.70)** |",
    "| crm --help | ≤ 1.3 × | 1.10 (1.10–1.10) |",
    "| get | ≥ 0.75 | 0.90 (0.90–0.90) |",
    "| get | **1.40 (1.40–1.40)** |",
  ]);
});
