/** Constant statements are prepared once per PostgreSQL connection; one-off statements are not. */
import { expect, it } from "vitest";
import { openFresh } from "../support/databases.ts";

it("prepares statements of rows() once, by name, and none of rowsOnce()", async () => {
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

it("re-prepares a statement after its table has changed, inside a change too", async () => {
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

it("keeps the hundred most recently used ones per connection, and still runs the others", async () => {
  await using fresh = await openFresh("postgres");
  const { database } = fresh;
  const select = (number: number): string => `select ? || ' of ${number}' as told`;
  const answer = (number: number) => [{ told: `answer of ${number}` }];
  const prepared = await database.transaction(async ({ rows, rowsOnce }) => {
    for (let number = 1; number <= 250; number++) {
      expect(await rows(select(number), ["answer"])).toEqual(answer(number));
      expect(await rows(select(1), ["answer"])).toEqual(answer(1));
    }
    return rowsOnce<{ statement: string }>("select statement from pg_prepared_statements order by prepare_time");
  });
  expect(prepared).toHaveLength(100);
  expect(prepared.filter(({ statement }) => / of 1'/.test(statement))).toHaveLength(1);
  expect(prepared.at(-1)!.statement).toContain(" of 250'");

  // A failure also rolls back the deallocation; deallocated statements are re-prepared.
  for (let number = 1; number <= 250; number++) {
    await expect(
      database.transaction(async ({ send, rows }) => {
        send(select(number), ["answer"]);
        await rows(`select 1 / (? - ${number}) as failed`, [number]);
      }),
    ).rejects.toThrow("division by zero");
    expect(await database.rows(select(number), ["answer"])).toEqual(answer(number));
  }
  const left = await database.rowsOnce("select name from pg_prepared_statements");
  expect(left.length).toBeLessThanOrEqual(101);
});

it.each([
  ["as it is prepared", "select size from later where id = ?", [1], "does not exist"],
  ["as its values are bound", "select size from things where id = ?", ["none"], "invalid input syntax"],
  ["as it runs", "select 1 / (size - ?) as size from things", [1], "division by zero"],
])("retries a statement that failed %s, alone and in a pipeline", async (_when, text, values, reason) => {
  await using fresh = await openFresh("postgres");
  const { database } = fresh;
  await database.rowsOnce("create table things as select 1 as id, 1 as size");
  const other = "select id from things";
  for (let time = 0; time < 2; time++) {
    await expect(database.rows(text, values)).rejects.toThrow(reason);
    const change = database.transaction(({ rows }) => Promise.all([rows(other), rows(text, values), rows(other)]));
    await expect(change).rejects.toThrow(reason);
  }
  await database.rowsOnce("create table later as select id, size from things");
  expect(await database.rows(text, [2])).toEqual(text.includes("/") ? [{ size: -1 }] : []);
  expect(await database.rows(other)).toEqual([{ id: 1 }]);
});

it("re-prepares a statement that a proxy has deallocated, inside a change too", async () => {
  await using fresh = await openFresh("postgres");
  const { database } = fresh;
  await database.rowsOnce("create table things (id integer)");
  const insert = "insert into things (id) values (?) returning id";
  expect(await database.rows(insert, [1])).toEqual([{ id: 1 }]);
  await database.rowsOnce("deallocate all");
  expect(await database.rows(insert, [2])).toEqual([{ id: 2 }]);
  await database.rowsOnce("deallocate all");
  expect(await database.transaction(({ rows }) => rows(insert, [3]))).toEqual([{ id: 3 }]);
  await database.rowsOnce("deallocate all");
  await database.transaction(async ({ send }) => send(insert, [4]));
  expect(await database.rows("select id from things order by id")).toEqual([
    { id: 1 },
    { id: 2 },
    { id: 3 },
    { id: 4 },
  ]);
});

it("ignores notices of the server between results", async () => {
  await using fresh = await openFresh("postgres");
  const { database } = fresh;
  const said = "do $$ begin raise warning 'by the way'; perform pg_notify('crm_commit', ''); end $$";
  const rows = await database.transaction(async ({ send, sendOnce, rows }) => {
    sendOnce("listen crm_commit");
    send(said);
    sendOnce("set local application_name = 'another'");
    const both = await Promise.all([
      rows("select 1 as one"),
      rows("select current_setting('application_name') as name"),
    ]);
    send(said);
    return both;
  });
  expect(rows).toEqual([[{ one: 1 }], [{ name: "another" }]]);
  expect(await database.rows("select 2 as two")).toEqual([{ two: 2 }]);
});
