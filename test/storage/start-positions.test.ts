/** The migration that gives webhooks and triggers a start position: undelivered events stay after it, and few others do. */
import { expect, test } from "vitest";
import { insertRows } from "../../src/storage/inserting/insert.ts";
import { migrateDown, migrateUp } from "../../src/storage/migrations/migrate.ts";
import { migrationFolder, readMigrationNames } from "../../src/storage/migrations/migration-files.ts";
import type { Value } from "../../src/storage/value.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

/** Ids have gaps; 12 and 15 committed late. The last three have no position yet, and will get 5, 6 and 7. */
const events = [
  { id: 10, position: 1, minute: 1 },
  { id: 20, position: 2, minute: 2 },
  { id: 30, position: 3, minute: 3 },
  { id: 12, position: 4, minute: 1 },
  { id: 15, position: null, minute: 1 },
  { id: 40, position: null, minute: 4 },
  { id: 50, position: null, minute: 5 },
];

/** The marks of webhooks and workflows. */
const mark = 1;

const hooks = [
  { afterEvent: 0, afterPosition: 1, back: 10 },
  // Events that committed late do not shift the start after 30.
  { afterEvent: 20, afterPosition: 2, back: 20 },
  { afterEvent: 25, afterPosition: 2, back: 20 },
  { afterEvent: 30, afterPosition: 5, back: 12 },
  { afterEvent: 40, afterPosition: 6, back: 12 },
  { afterEvent: 50, afterPosition: 7, back: 12 },
];

/** Start positions by the minutes in which the versions were published. */
const workflows = [
  { published: [], afterPosition: 0 },
  { published: [0], afterPosition: 1 },
  { published: [3], afterPosition: 2 },
  { published: [4], afterPosition: 4 },
  // Events from before the current version still start it.
  { published: [3, 5], afterPosition: 2 },
];

test.each([...databaseKinds])("on %s webhooks and triggers keep their start", async (kind) => {
  await using fresh = await openFresh(kind, { migrated: false });
  const { database } = fresh;
  const names = readMigrationNames(migrationFolder(kind));
  const migration = names.find((name) => name.endsWith("beginnings_by_position"))!;
  await migrateUp(database, { to: names[names.indexOf(migration) - 1] });
  await database.transaction(async (transaction) => {
    const begun = Date.now();
    const at = (minute: number): Date => new Date(begun + minute * 60_000);
    const created_at = at(0);
    const insert = async (table: string, record: Record<string, Value>): Promise<number> =>
      (await insertRows(transaction, { table, columns: Object.keys(record) }, [record]))[0]!;
    const workspace_id = await insert("workspaces", { name: "Acme", created_at });
    const event = { workspace_id, event: "contact.created", actor_type: "system", depth: 0 };
    for (const { id, position, minute } of events)
      await insert("events", { ...event, id, position, created_at: at(minute) });
    await transaction.rows("update event_marks set position = ?", [mark]);
    await transaction.rows("update event_log set last_position = 4 where id = 1");
    const hook = {
      workspace_id,
      scopes: "[]",
      target_url: "https://192.0.3.1/",
      secret: "",
      status: "active",
      created_at,
    };
    for (const { afterEvent } of hooks) await insert("hooks", { ...hook, after_event_id: afterEvent });
    const empty = { address1: "", city: "", state: "", zip: "", phone_public: "", website: "" };
    const place = { workspace_id, name: "North", country: "US", timezone: "America/New_York", ...empty };
    const location_id = await insert("locations", { ...place, created_at, updated_at: created_at });
    const workflow = { location_id, name: "Welcome", status: "published", allow_reentry: false, draft: "{}" };
    for (const { published } of workflows) {
      const id = await insert("workflows", { ...workflow, created_at, updated_at: created_at });
      for (const [place, minute] of published.entries()) {
        const version = { workflow_id: id, number: place + 1, definition: "{}", has_goals: false };
        await transaction.rows("update workflows set trigger_event = 'contact.created', version_id = ? where id = ?", [
          await insert("workflow_versions", { ...version, created_at: at(minute) }),
          id,
        ]);
      }
    }
  });

  await migrateUp(database, { to: migration });
  const beginningsOf = (table: string) => database.rows(`select after_position from ${table} order by id`);
  const expected = (rows: readonly { readonly afterPosition: number }[]) =>
    rows.map(({ afterPosition: after_position }) => ({ after_position }));
  expect.soft(await beginningsOf("hooks")).toEqual(expected(hooks));
  expect.soft(await beginningsOf("workflows")).toEqual(expected(workflows));
  await migrateDown(database, { to: migration });
  expect(await database.rows("select after_event_id from hooks order by id")).toEqual(
    hooks.map(({ back: after_event_id }) => ({ after_event_id })),
  );
});
