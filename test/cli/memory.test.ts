/** How a process that runs for long holds its memory. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { startNode } from "../support/node-process.ts";

test("V8's young generation goes from small to 32 MiB in one step, and no further", async () => {
  const { stdout } = await startNode([join(import.meta.dirname, "young-generation.ts")]).finished;
  const sizes = JSON.parse(stdout) as number[];
  // Its first halves are a megabyte each.
  expect(sizes[0]).toBeLessThanOrEqual(2);
  expect(sizes.filter((size) => size > 2 && size < 16)).toEqual([]);
  expect(Math.max(...sizes)).toBeGreaterThan(16);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(33);
});
