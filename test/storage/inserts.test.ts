/** Compiled inserts name columns by hand; this holds every one of them against the entity of its table. */
import { beforeAll, describe, expect, it } from "vitest";
import type { EntityProperty } from "@mikro-orm/core";
// Every module that defines an insert lies below one of these.
import "../../src/endpoints.ts";
import "../../src/service.ts";
import { definedInserts, defineInsert, insertRows } from "../../src/storage/insert.ts";
import type { Insert } from "../../src/storage/insert.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import type { OpenedDatabase } from "../support/databases.ts";

const inserts = [...definedInserts()];

describe("the columns of an insert", () => {
  let properties: (insert: Insert<string>) => EntityProperty[];

  beforeAll(async () => {
    const fresh: OpenedDatabase = await openFresh("sqlite");
    const metadata = [...fresh.database.orm.getMetadata().getAll().values()];
    properties = ({ table }) => metadata.find(({ tableName }) => tableName === table)?.props ?? [];
    return () => fresh[Symbol.asyncDispose]();
  });

  it("are held against entities for the tables where speed counts", () => {
    expect(inserts.map(({ table }) => table)).toEqual(expect.arrayContaining(["contacts", "events", "contact_counts"]));
  });

  it.each(inserts)("into $table exist, each once, and fill what must be filled", (insert) => {
    const columns = new Set(properties(insert).flatMap(({ fieldNames }) => fieldNames ?? []));
    const required = properties(insert).filter(
      ({ nullable, autoincrement, default: value, defaultRaw }) =>
        nullable !== true && autoincrement !== true && value === undefined && defaultRaw === undefined,
    );
    expect(insert.columns.filter((column) => !columns.has(column))).toEqual([]);
    expect(new Set(insert.columns).size).toBe(insert.columns.length);
    expect(
      required.flatMap(({ fieldNames }) => fieldNames).filter((column) => !insert.columns.includes(column)),
    ).toEqual([]);
  });
});

describe.each(databaseKinds)("inserting on %s", (kind) => {
  const insert = defineInsert("workspaces", ["name", "created_at"]);

  it.each([0, 1, 2, 500, 501, 1200])("gives the ids of %i rows in the order of the rows", async (count) => {
    await using fresh = await openFresh(kind);
    const records = Array.from({ length: count }, (_, index) => ({ name: `${index}`, created_at: new Date(0) }));
    const ids = await fresh.database.transaction((transaction) => insertRows(transaction, insert, records));
    const rows = await fresh.database.rows<{ id: number; name: string }>("select id, name from workspaces");
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    expect(ids.map((id) => names.get(id))).toEqual(records.map(({ name }) => name));
  });
});
