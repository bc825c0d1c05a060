/** Ids reserved by an earlier select are used once, by the inserts of the next change; without them inserts work as usual. */
import { describe, expect, it } from "vitest";
import type { Database, Transaction } from "../../src/storage/database.ts";
import { givingIds, readIds } from "../../src/storage/inserting/ids-ahead.ts";
import { defineInsert, insertRows } from "../../src/storage/inserting/insert.ts";
import { sql } from "../../src/storage/sql-text.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

const tables = ["workspaces"];
const selectText = givingIds((ids) => sql`select 1 as one${ids}`);
const insert = defineInsert("workspaces", ["name", "created_at"]);

async function askAhead({ rows }: Database) {
  const [row] = await rows<object>(selectText(tables));
  return readIds(row!, tables);
}

const write =
  (...names: string[]) =>
  (transaction: Transaction) => {
    transaction.roundTrips.reserveIds("workspaces", names.length);
    return insertRows(
      transaction,
      insert,
      names.map((name) => ({ name, created_at: new Date(0) })),
    );
  };

const written = async ({ rows }: Database) =>
  (await rows<{ name: string }>("select name from workspaces order by id")).map(({ name }) => name);

describe.each(databaseKinds)("ids ahead on %s", (kind) => {
  it("are used once, in order", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const first = await askAhead(database);
    const second = await askAhead(database);
    const given = [first?.get("workspaces"), second?.get("workspaces")];
    const later = await database.transaction(write("later"), second);
    const sooner = await database.transaction(write("sooner"), first);
    const last = await database.transaction(write("last"), first);
    if (kind === "postgres") {
      expect([...sooner, ...later]).toEqual(given);
      expect(last[0]).toBeGreaterThan(given[1]!);
      expect(await written(database)).toEqual(["sooner", "later", "last"]);
    } else {
      expect(given).toEqual([undefined, undefined]);
      expect(await written(database)).toEqual(["later", "sooner", "last"]);
    }
  });

  it("are not used for more rows than reserved, nor for a retried change", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const ids = await askAhead(database);
    await database.transaction(write("one", "two"), ids);
    const failed = new Error("once");
    const isWhole = async (transaction: Transaction) => {
      await write("gone")(transaction);
      throw failed;
    };
    await expect(database.transaction(isWhole, ids)).rejects.toBe(failed);
    await database.transaction(write("three"), ids);
    expect(await written(database)).toEqual(["one", "two", "three"]);
  });
});
