/** The migration that moves positions into a table of their own: prepared in steps, interrupted, resumed, and reverted. */
import { expect, test } from "vitest";
import type { Database } from "../../src/storage/database.ts";
import { insertRows } from "../../src/storage/inserting/insert.ts";
import { readTables } from "../../src/storage/dump/tables.ts";
import { migrateDown, migrateUp } from "../../src/storage/migrations/migrate.ts";
import { migrationFolder, readMigrationNames } from "../../src/storage/migrations/migration-files.ts";
import { preparedPositions, preparePositions } from "../../src/storage/migrations/positions-moved.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

/** A gap in the ids, an event that committed late, and events without a position. */
const ids = [1, 2, 3, 5, 6, 7];
const before = [1, 2, null, 3, null, null];
const meanwhile = [1, 2, 4, 3, 5, null];

const columns = ["id", "workspace_id", "event", "actor_type", "depth", "position", "created_at"];

async function writePositions(database: Database, positions: readonly (number | null)[]): Promise<void> {
  await database.transaction(async ({ rows }) => {
    for (const [place, position] of positions.entries())
      await rows("update events set position = ? where id = ?", [position, ids[place]!]);
  });
}

test.each([...databaseKinds])("on %s", async (kind) => {
  await using fresh = await openFresh(kind, { migrated: false });
  const { database } = fresh;
  const names = readMigrationNames(migrationFolder(kind));
  const migration = names.find((name) => name.endsWith("position_table"))!;
  await migrateUp(database, { to: names[names.indexOf(migration) - 1] });
  await database.transaction(async (transaction) => {
    const [workspace_id] = await insertRows(transaction, { table: "workspaces", columns: ["name", "created_at"] }, [
      { name: "Acme", created_at: new Date() },
    ]);
    const event = { workspace_id: workspace_id!, event: "contact.created", actor_type: "system", depth: 0 };
    const records = ids.map((id) => ({ ...event, id, position: null, created_at: new Date() }));
    await insertRows(transaction, { table: "events", columns }, records);
  });

  await writePositions(database, before);
  await preparePositions(database);
  const tables = await readTables(database);
  expect(tables.map(({ name }) => name)).not.toContain(preparedPositions);
  // The version before goes on assigning positions.
  await writePositions(database, meanwhile);
  await migrateUp(database, { to: migration });

  const log = () => database.rows("select position, event_id as id from event_positions order by position");
  const unstamped = () => database.rows("select event_id as id from unstamped_events");
  const inOrder = [1, 2, 5, 3, 6].map((id, place) => ({ position: place + 1, id }));
  expect([await log(), await unstamped()]).toEqual([inOrder, [{ id: 7 }]]);

  // An event that the new version has assigned a position.
  await database.transaction(async ({ rows }) => {
    await rows("delete from unstamped_events");
    await rows(
      "insert into event_positions (position, event_id, workspace_id) select 6, id, workspace_id from events where id = 7",
    );
  });
  await migrateDown(database, { to: migration });
  expect(await database.rows("select position, id from events order by position")).toEqual([
    ...inOrder,
    { position: 6, id: 7 },
  ]);
  await migrateUp(database);
  expect([await log(), await unstamped()]).toEqual([[...inOrder, { position: 6, id: 7 }], []]);
});
