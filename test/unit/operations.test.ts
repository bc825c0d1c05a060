/** src/operations.ts lists every operation that a folder declares, each once, and every address is one of them. */
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "../../src/endpoints.ts";
import type { AnyOperation } from "../../src/operation/operation.ts";
import { rightsOf } from "../../src/operation/roles.ts";
import { operations } from "../../src/operations.ts";
import { grants } from "../../src/vocabulary/scopes.ts";

const root = new URL("../../src/", import.meta.url);
const listed = operations.map(({ name }) => name);

test("every operation that is declared", async () => {
  const declared: string[] = [];
  for (const path of globSync("**/*.operations.ts", { cwd: root })) {
    const exported = Object.entries((await import(new URL(path, root).href)) as Record<string, AnyOperation>);
    // The name of the constant is the operation's.
    expect(exported.map(([name]) => name)).toEqual(exported.map(([, { name }]) => name));
    declared.push(...exported.map(([name]) => name));
  }
  expect(listed.toSorted()).toEqual(declared.toSorted());
  expect(new Set(listed).size).toBe(listed.length);
});

test("every address", () => {
  expect(endpoints.map(({ operation }) => operation.name).filter((name) => !listed.includes(name))).toEqual([]);
  expect(endpoints.filter(({ operation }) => operation.may.scope === "none").map(({ path }) => path)).toEqual([]);
});

test.each(operations.map((row) => [row.name, row] as const))(
  "%s is open to its least role by scope as well",
  (_, { may }) => {
    if (may.role === "operator" || may.scope === "none" || may.scope === "any") return;
    expect(grants(rightsOf[may.role].scopes, may.scope)).toBe(true);
  },
);
