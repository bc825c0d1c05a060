/** The migration that splits long notes, and its reversal. */
import { expect, test } from "vitest";
import { migrateDown, migrateUp } from "../../src/storage/migrations/migrate.ts";
import { migrationFolder, readMigrationNames } from "../../src/storage/migrations/migration-files.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { givenEarlyLocation } from "../support/early-records.ts";

/** A body, and the two parts in which it is stored. */
const notes = [
  { body: "Short", parts: ["Short", null] },
  { body: "😀".repeat(4096), parts: ["😀".repeat(4096), null] },
  { body: `${"Ж".repeat(4095)}😀😀`, parts: [`${"Ж".repeat(4095)}😀`, "😀"] },
  { body: "x".repeat(65_536), parts: ["x".repeat(4096), "x".repeat(61_440)] },
] as const;

test.each([...databaseKinds])(
  "on %s notes are parted where a contact cuts them, and come together again",
  async (kind) => {
    await using fresh = await openFresh(kind, { migrated: false });
    const { database } = fresh;
    const names = readMigrationNames(migrationFolder(kind));
    const migration = names.find((name) => name.endsWith("rest_of_notes"))!;
    await migrateUp(database, { to: names[names.indexOf(migration) - 1] });
    await database.transaction(async (transaction) => {
      const { insert, made, location_id } = await givenEarlyLocation(transaction);
      const { created_at } = made;
      const named = {
        name: "Ada",
        first_name: "Ada",
        last_name: "",
        name_key: "ada",
        first_name_key: "ada",
        last_name_key: "",
      };
      const contact = { location_id, ...named, dnd: false, last_activity_at: created_at, ...made };
      const contact_id = await insert("contacts", contact);
      for (const { body } of notes) await insert("notes", { contact_id, body, pinned: false, ...made });
    });

    await migrateUp(database, { to: migration });
    expect(await database.rows("select body, body_rest from notes order by id")).toEqual(
      notes.map(({ parts: [body, body_rest] }) => ({ body, body_rest })),
    );
    await migrateDown(database, { to: migration });
    expect(await database.rows("select body from notes order by id")).toEqual(notes.map(({ body }) => ({ body })));
  },
);
