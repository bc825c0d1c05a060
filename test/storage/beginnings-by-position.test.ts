/** The migration that has webhooks begin at a position: what each was told of, and what it was not, stays as it was. */
import { expect, test } from "vitest";
import { insertRows } from "../../src/storage/inserting/insert.ts";
import { migrateDown, migrateUp } from "../../src/storage/migrations/migrate.ts";
import { migrationFolder, readMigrationNames } from "../../src/storage/migrations/migration-files.ts";
import type { Value } from "../../src/storage/rows.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

/** Ids have gaps; the last two have no position yet, and will get 4 and 5. */
const events = [
  { id: 10, position: 1 },
  { id: 20, position: 2 },
  { id: 30, position: 3 },
  { id: 40, position: null },
  { id: 50, position: null },
];

const hooks = [
  { afterEvent: 0, afterPosition: 0, back: 0 },
  { afterEvent: 20, afterPosition: 2, back: 20 },
  { afterEvent: 25, afterPosition: 2, back: 20 },
  { afterEvent: 40, afterPosition: 4, back: 30 },
  { afterEvent: 50, afterPosition: 5, back: 30 },
];

test.each([...databaseKinds])("on %s webhooks begin where they began", async (kind) => {
  await using fresh = await openFresh(kind, { migrated: false });
  const { database } = fresh;
  const names = readMigrationNames(migrationFolder(kind));
  const migration = names.find((name) => name.endsWith("beginnings_by_position"))!;
  await migrateUp(database, { to: names[names.indexOf(migration) - 1] });
  await database.transaction(async (transaction) => {
    const created_at = new Date();
    const insert = async (table: string, record: Record<string, Value>): Promise<number> =>
      (await insertRows(transaction, { table, columns: Object.keys(record) }, [record]))[0]!;
    const workspace_id = await insert("workspaces", { name: "Acme", created_at });
    const event = { workspace_id, event: "contact.created", actor_type: "system", depth: 0, created_at };
    for (const { id, position } of events) await insert("events", { ...event, id, position });
    const hook = {
      workspace_id,
      scopes: "[]",
      target_url: "https://192.0.3.1/",
      secret: "",
      status: "active",
      created_at,
    };
    for (const { afterEvent } of hooks) await insert("hooks", { ...hook, after_event_id: afterEvent });
  });

  await migrateUp(database, { to: migration });
  expect(await database.rows("select after_position from hooks order by id")).toEqual(
    hooks.map(({ afterPosition: after_position }) => ({ after_position })),
  );
  await migrateDown(database, { to: migration });
  expect(await database.rows("select after_event_id from hooks order by id")).toEqual(
    hooks.map(({ back: after_event_id }) => ({ after_event_id })),
  );
});
