/** Tags have the same order on both databases, whatever the collation of the PostgreSQL database. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { entities } from "../../src/entities.ts";
import { textKey } from "../../src/kit/text-key.ts";
import type { Database } from "../../src/storage/database.ts";
import { insertRows } from "../../src/storage/inserting/insert.ts";
import { migrateUp } from "../../src/storage/migrations/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openFresh } from "../support/databases.ts";
import { administrate, databaseUrl } from "../support/postgres.ts";

/** A linguistic collation orders spaces, punctuation and accents differently from bytes. */
const names = [
  "zeta",
  "Äther",
  "ether",
  "a b",
  "a-b",
  "ab",
  "a_b",
  "Éclair",
  "eclair",
  "Ωmega",
  "строка",
  "1",
  "10",
  "9",
];
const expected = names.map(textKey).toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

const byWords = `crm_test_${randomBytes(6).toString("hex")}`;
beforeAll(() =>
  administrate(
    inject("postgresUrl"),
    `create database ${byWords} template template0 locale_provider icu icu_locale 'und' encoding 'UTF8'`,
  ),
);
afterAll(() => administrate(inject("postgresUrl"), `drop database if exists ${byWords} with (force)`));

async function keysInOrder(database: Database): Promise<string[]> {
  await database.transaction(async (change) => {
    const created_at = new Date();
    const workspace = { table: "workspaces", columns: ["name", "created_at"] };
    const [workspace_id] = (await insertRows(change, workspace, [{ name: "Acme", created_at }])) as [number];
    const tags = { table: "tags", columns: ["workspace_id", "name", "name_key", "created_at"] };
    await insertRows(
      change,
      tags,
      names.map((name) => ({ workspace_id, name, name_key: textKey(name), created_at })),
    );
  });
  const found = await database.rows<{ name_key: string }>("select name_key from tags order by name_key, id");
  return found.map(({ name_key }) => name_key);
}

test("on SQLite", async () => {
  await using fresh = await openFresh("sqlite");
  expect(await keysInOrder(fresh.database)).toEqual(expected);
});

test("on a PostgreSQL with a linguistic collation", async () => {
  const database = await openDatabase(databaseUrl(inject("postgresUrl"), byWords), entities);
  try {
    await migrateUp(database);
    const [sample] = await database.rows<{ otherwise: boolean }>("select 'äther' < 'zeta' as otherwise");
    expect(sample, "the collation of this database is that of bytes").toEqual({ otherwise: true });
    expect(await keysInOrder(database)).toEqual(expected);
  } finally {
    await database.close();
  }
});
