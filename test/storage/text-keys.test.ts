/** The migration that computes the keys of existing texts. */
import { describe, expect, test } from "vitest";
import { textKey } from "../../src/kit/text-key.ts";
import { fold } from "../../src/kit/text.ts";
import type { Database } from "../../src/storage/database.ts";
import { insertRows } from "../../src/storage/inserting/insert.ts";
import { migrateDown, migrateUp } from "../../src/storage/migrations/migrate.ts";
import { migrationFolder, readMigrationNames } from "../../src/storage/migrations/migration-files.ts";
import type { Value } from "../../src/storage/value.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

const long = `${"ﷺ".repeat(20)} End`;

/** More than one batch; the first has only the required fields. */
const people = Array.from({ length: 1201 }, (_, n) =>
  n === 0
    ? { last_name: "", email: null, company: null, city: null }
    : { last_name: `${n}`, email: `ΟΔΟΣ.${n}@x.example`, company: long, city: "Straße" },
);

async function store(database: Database): Promise<void> {
  const created_at = new Date();
  const made = { created_at, updated_at: created_at };
  await database.transaction(async (transaction) => {
    const insert = (table: string, ...records: Record<string, Value>[]) =>
      insertRows(transaction, { table, columns: Object.keys(records[0]!) }, records);
    const [workspace_id = 0] = await insert("workspaces", { name: "Acme", created_at });
    const [location_id = 0] = await insert("locations", {
      workspace_id,
      name: "North",
      country: "US",
      timezone: "UTC",
      ...made,
    });
    await insert("tags", { workspace_id, name: long, name_key: "old", created_at });
    await insert("users", { name: "", email: "ΟΔΟΣ@x.example", email_key: "old", created_at });
    await insert(
      "contacts",
      ...people.map((person) => ({
        ...person,
        location_id,
        first_name: "ΚΟΣΜΟΣ",
        name: `ΚΟΣΜΟΣ ${person.last_name}`,
        name_key: "old",
        email_key: person.email === null ? null : "old",
        dnd: false,
        last_activity_at: created_at,
        ...made,
      })),
    );
  });
}

describe.each(databaseKinds)("on %s", (kind) => {
  test("all keys are written, and the old ones restored by its reversal", async () => {
    await using fresh = await openFresh(kind, { migrated: false });
    const { database } = fresh;
    const names = readMigrationNames(migrationFolder(kind));
    const migration = names.find((name) => name.endsWith("keys_of_texts"))!;
    await migrateUp(database, { to: names[names.indexOf(migration) - 1] });
    await store(database);

    await migrateUp(database);
    const contacts = await database.rows(
      `select name_key, first_name_key, last_name_key, email_key, company_key, city_key, state_key, long_keys
       from contacts order by id`,
    );
    expect(contacts).toEqual(
      people.map(({ last_name, email, company }) => ({
        name_key: `κοσμοσ ${last_name}`.trim(),
        first_name_key: "κοσμοσ",
        last_name_key: last_name,
        email_key: email === null ? null : `οδος.${last_name}@x.example`,
        company_key: company === null ? null : textKey(long),
        city_key: company === null ? null : "strasse",
        state_key: null,
        long_keys: company === null ? null : JSON.stringify({ company_key: fold(long) }),
      })),
    );
    const keyOfTag = "select name_key from tags";
    expect(await database.rows(keyOfTag)).toEqual([{ name_key: textKey(long) }]);
    expect(await database.rows("select email_key from users")).toEqual([{ email_key: "οδος@x.example" }]);

    await migrateDown(database, { to: migration });
    expect(await database.rows(keyOfTag)).toEqual([{ name_key: fold(long) }]);
  });
});
