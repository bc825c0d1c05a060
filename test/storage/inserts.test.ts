/** Compiled inserts and updates list columns by hand; these tests compare each with the entity of its table. */
import { beforeAll, describe, expect, it } from "vitest";
import type { EntityProperty } from "@mikro-orm/core";
// Every module that defines an insert is below one of these folders.
import "../../src/operations.ts";
import "../../src/routes.ts";
import "../../src/service.ts";
import {
  definedInserts,
  definedUpdates,
  defineInsert,
  defineUpdate,
  insertRows,
  updateRow,
} from "../../src/storage/inserting/insert.ts";
import type { CompiledWrite } from "../../src/storage/inserting/insert.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import type { OpenedDatabase } from "../support/databases.ts";

const inserts = [...definedInserts()];
const updates = [...definedUpdates()];

describe("the columns of a compiled statement", () => {
  let properties: (written: CompiledWrite<string>) => EntityProperty[];
  const columnsOf = (written: CompiledWrite<string>) =>
    properties(written).flatMap(({ fieldNames }) => fieldNames ?? []);

  beforeAll(async () => {
    const fresh: OpenedDatabase = await openFresh("sqlite");
    const metadata = [...fresh.database.orm.getMetadata().getAll().values()];
    properties = ({ table }) => metadata.find(({ tableName }) => tableName === table)?.props ?? [];
    return () => fresh[Symbol.asyncDispose]();
  });

  it("are compared with entities for the tables where speed matters", () => {
    expect(inserts.map(({ table }) => table)).toEqual(expect.arrayContaining(["contacts", "events", "contact_counts"]));
    expect(updates.map(({ table }) => table)).toContain("contacts");
  });

  it.each([...inserts, ...updates])("of $table exist, each once", (written) => {
    const columns = columnsOf(written);
    expect(written.columns.filter((column) => !columns.includes(column))).toEqual([]);
    expect(new Set(written.columns).size).toBe(written.columns.length);
  });

  // Nullable columns and those with defaults too: a new column must be listed or left out explicitly.
  it.each(inserts)("into $table are all columns of the table, except those it leaves out", (insert) => {
    const numbered = properties(insert).flatMap(({ autoincrement, fieldNames }) => (autoincrement ? fieldNames : []));
    expect([...numbered, ...insert.columns, ...insert.leaves].toSorted()).toEqual(columnsOf(insert).toSorted());
  });

  it.each(inserts)("that an insert into $table leaves out are nullable or have a default", (insert) => {
    const required = properties(insert).filter(
      ({ nullable, default: value, defaultRaw }) =>
        nullable !== true && value === undefined && defaultRaw === undefined,
    );
    expect(required.flatMap(({ fieldNames }) => fieldNames).filter((column) => insert.leaves.includes(column))).toEqual(
      [],
    );
  });
});

describe.each(databaseKinds)("updating on %s", (kind) => {
  const update = defineUpdate("workspaces", ["name"]);

  it("writes only its own row", async () => {
    await using fresh = await openFresh(kind);
    const insert = defineInsert("workspaces", ["name", "created_at"]);
    const names = await fresh.database.transaction(async (transaction) => {
      const made = ["a", "b", "c"].map((name) => ({ name, created_at: new Date(0) }));
      const [, second] = await insertRows(transaction, insert, made);
      await updateRow(transaction, update, second!, { name: "changed" });
      return transaction.rows<{ name: string }>("select name from workspaces order by id");
    });
    expect(names.map(({ name }) => name)).toEqual(["a", "changed", "c"]);
  });

  const sparing = defineUpdate("workspaces", ["name", "created_at"], { onlyWhereOther: ["name"] });
  it.each([
    [["name"], { name: "changed", created_at: new Date(7) }],
    [[], { name: "a", created_at: new Date(7) }],
    [["created_at"], { name: "a", created_at: new Date(7) }],
  ] as const)("writes what is written only where it changes if %j did", async (changed, expected) => {
    await using fresh = await openFresh(kind);
    const insert = defineInsert("workspaces", ["name", "created_at"]);
    const [row] = await fresh.database.transaction(async (transaction) => {
      const [id] = await insertRows(transaction, insert, [{ name: "a", created_at: new Date(0) }]);
      updateRow(transaction, sparing, id!, { name: "changed", created_at: new Date(7) }, new Set(changed));
      return transaction.rows<{ name: string; created_at: number }>("select name, created_at from workspaces");
    });
    expect({ name: row!.name, created_at: new Date(row!.created_at) }).toEqual(expected);
  });
});

describe.each(databaseKinds)("inserting on %s", (kind) => {
  const insert = defineInsert("workspaces", ["name", "created_at"]);

  it.each([0, 1, 2, 500, 501, 1200])("returns the ids of %i rows in row order", async (count) => {
    await using fresh = await openFresh(kind);
    const records = Array.from({ length: count }, (_, index) => ({ name: `${index}`, created_at: new Date(0) }));
    const ids = await fresh.database.transaction((transaction) => insertRows(transaction, insert, records));
    const rows = await fresh.database.rows<{ id: number; name: string }>("select id, name from workspaces");
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    expect(ids.map((id) => names.get(id))).toEqual(records.map(({ name }) => name));
  });
});
