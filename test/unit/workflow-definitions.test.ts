/** Definitions are read a few at a time, each once, and so many are kept. */
import { expect, test } from "vitest";
import { createDefinitions } from "../../src/crm/workflows/engine/definitions.ts";
import type { Rows } from "../../src/storage/rows.ts";

const from = (first: number, count: number) => Array.from({ length: count }, (_, place) => first + place);

/** A table of versions, of which the five hundredth cannot be read, and what was asked of it. */
function givenVersions() {
  const asked: number[][] = [];
  const answer = async (_text: unknown, params: readonly unknown[] = []) => {
    const wanted = JSON.parse(String(params[0])) as number[];
    asked.push(wanted);
    return wanted.map((id) => ({ id, definition: id === 500 ? "{" : JSON.stringify({ entry: `node ${id}` }) }));
  };
  return { asked, rows: { rows: answer, rowsOnce: answer } as unknown as Rows };
}

test("five hundred are read a few at a time, and the second time not at all", async () => {
  const { asked, rows } = givenVersions();
  const ids = from(1, 500);
  const definitions = createDefinitions();
  const found = await definitions.of(rows, [...ids, 1, 2]);
  expect([...found.keys()]).toEqual(ids.slice(0, -1));
  expect(found.get(499)).toEqual({ entry: "node 499" });
  expect(asked.flat()).toEqual(ids);
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(32);
  asked.length = 0;
  expect((await definitions.of(rows, ids)).size).toBe(499);
  expect(asked).toEqual([[500]]);
});

test("as many as a turn of the engine has runs are read in one turn of the event loop: its transaction is open meanwhile", async () => {
  const { rows } = givenVersions();
  let others = 0;
  const other = setImmediate(() => (others += 1));
  await createDefinitions().of(rows, from(1, 32));
  clearImmediate(other);
  expect(others).toBe(0);
});

test("five hundred are kept at most, also where two ask at a time, and where one asks for more", async () => {
  for (const asks of [[from(1, 300), from(601, 300)], [from(1, 700)]]) {
    const { asked, rows } = givenVersions();
    const definitions = createDefinitions();
    const found = await Promise.all(asks.map((ids) => definitions.of(rows, ids)));
    expect(found.map((versions) => versions.has(500))).not.toContain(true);
    expect(found.flatMap((versions) => [...versions.keys()])).toEqual(asks.flat().filter((id) => id !== 500));
    asked.length = 0;
    const known = asks.flat();
    await definitions.of(rows, known);
    expect(known.length - asked.flat().length).toBeLessThanOrEqual(500);
  }
});
