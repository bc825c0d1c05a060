/** Constant texts are prepared once by each PostgreSQL connection; texts made for one call leave nothing behind. */
import { expect, it } from "vitest";
import { openFresh } from "../support/databases.ts";

it("prepares what rows() sends, under a name and once, and nothing of rowsOnce()", async () => {
  await using fresh = await openFresh("postgres");
  const { database } = fresh;
  const kept = "select name from workspaces where id = ?";
  await database.rows(kept, [1]);
  const prepared = await database.transaction(async ({ rows, rowsOnce }) => {
    for (const id of [1, 2, 3]) await rows(kept, [id]);
    await rowsOnce("select name from workspaces where id in (?, ?)", [1, 2]);
    return rowsOnce(
      "select name, statement, cast(generic_plans + custom_plans as int) as runs from pg_prepared_statements",
    );
  });
  expect(prepared).toEqual([
    {
      name: expect.stringMatching(/^crm_\d+$/),
      statement: "select name from workspaces where id = $1",
      runs: expect.any(Number),
    },
  ]);
  expect((prepared[0] as { runs: number }).runs).toBeGreaterThanOrEqual(3);
});

it("prepares anew what was prepared for a table that is another one by now, in a change too", async () => {
  await using fresh = await openFresh("postgres");
  const { database } = fresh;
  await database.rowsOnce("create table things as select 1 as size");
  const select = "select size from things";
  expect(await database.rows(select)).toEqual([{ size: 1 }]);
  await database.rowsOnce("alter table things alter size type text using 'about ' || size");
  const changed = await database.transaction(async ({ send, rows }) => {
    send("update things set size = size || '!'");
    return rows(select);
  });
  expect(changed).toEqual([{ size: "about 1!" }]);
  await database.rowsOnce("alter table things alter size type integer using 2");
  expect(await database.rows(select)).toEqual([{ size: 2 }]);
});
