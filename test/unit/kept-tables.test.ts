/** docs/privacy.md says of every table how long its rows are kept. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { definitions } from "../../config/settings.ts";
import { entities } from "../../src/entities.ts";

const text = readFileSync(new URL("../../docs/privacy.md", import.meta.url), "utf8");
const section = text.split("## What is kept, and for how long")[1]!.split("\n## ")[0]!;
const rows = section
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()) as [string, string, string]);
const inTicks = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

test("each table has one rule: a setting, a bound, or the reason why it may grow", () => {
  // Text indexes have no entity.
  const tables = [
    ...entities.map((entity) => entity.meta.tableName),
    "contact_name_texts",
    "contact_other_texts",
    "opportunity_texts",
    "task_texts",
  ];
  expect(rows.flatMap(([, names]) => inTicks(names)).toSorted()).toEqual(tables.toSorted());
  expect(rows.filter(([, , rule]) => rule === "")).toEqual([]);
});

test("the settings that it names exist, and each retention has its rule", () => {
  const named = rows.flatMap(([, , rule]) => inTicks(rule)).filter((name) => name.startsWith("CRM_"));
  const settings = Object.values(definitions)
    .map(({ name }) => name)
    .filter((name) => name.endsWith("_RETENTION_DAYS"));
  expect(named.toSorted()).toEqual(settings.toSorted());
});
