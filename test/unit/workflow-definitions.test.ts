/** Definitions are read a few at a time, each once. */
import { expect, test } from "vitest";
import { createDefinitions } from "../../src/crm/workflows/engine/definitions.ts";
import type { Rows } from "../../src/storage/rows.ts";

test("five hundred are read a few at a time, and the second time not at all", async () => {
  const asked: number[][] = [];
  const ids = Array.from({ length: 500 }, (_, place) => place + 1);
  const answer = async (_text: unknown, params: readonly unknown[] = []) => {
    const wanted = JSON.parse(String(params[0])) as number[];
    asked.push(wanted);
    // The last one cannot be read.
    return wanted.map((id) => ({ id, definition: id === 500 ? "{" : JSON.stringify({ entry: `node ${id}` }) }));
  };
  const rows = { rows: answer, rowsOnce: answer } as unknown as Rows;
  const definitions = createDefinitions();
  const found = await definitions.of(rows, [...ids, 1, 2]);
  expect([...found.keys()]).toEqual(ids.slice(0, -1));
  expect(found.get(499)).toEqual({ entry: "node 499" });
  expect(asked.flat()).toEqual(ids);
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(16);
  asked.length = 0;
  expect((await definitions.of(rows, ids)).size).toBe(499);
  expect(asked).toEqual([[500]]);
});
