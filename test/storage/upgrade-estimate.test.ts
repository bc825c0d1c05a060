/** What `crm upgrade-check` says of the pending migrations, and that it changes nothing. */
import { expect, test } from "vitest";
import { carriedMigrations, migrateDown, migrateUp, schemaState } from "../../src/storage/migrations/migrate.ts";
import { estimateUpgrade } from "../../src/storage/migrations/upgrade-estimate.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

test.each(databaseKinds)("on %s", async (kind) => {
  await using fresh = await openFresh(kind);
  const { database } = fresh;
  expect(await estimateUpgrade(database)).toMatchObject({ migrations: [], seconds: 0 });

  const target = carriedMigrations(database).find((name) => name.endsWith("_failed_deliveries_by_time"))!;
  await migrateDown(database, { to: target });
  await database.transaction(async ({ rows }) => {
    await rows("insert into workspaces (name, created_at) values ('Acme', ?)", [new Date()]);
    await rows(
      `insert into hooks (workspace_id, scopes, target_url, secret, status, after_position, created_at)
        values (1, '[]', 'https://192.0.3.1', '', 'active', 0, ?)`,
      [new Date()],
    );
    for (let event = 1; event <= 3; event++)
      await rows("insert into deliveries (hook_id, event_id, state, created_at) values (1, ?, 'failed', ?)", [
        event,
        new Date(),
      ]);
  });
  const before = await schemaState(database);
  const estimate = await estimateUpgrade(database);
  expect(estimate.migrations.map(({ name }) => name)).toEqual(before.pending);
  const own = estimate.migrations.find(({ name }) => name === target)!;
  expect(own.steps).toEqual([
    {
      what: "builds an index on",
      table: "deliveries",
      rows: 3,
      seconds: expect.closeTo(0.000_018, 9),
      isAhead: kind === "postgres",
    },
  ]);
  expect(own.breaks).toEqual([]);
  expect(estimate.migrations.find(({ name }) => name.endsWith("_record_names"))!.breaks).toEqual([
    "drops the table contact_text_index",
  ]);
  expect(estimate.migrations.find(({ name }) => name.endsWith("_joined_members"))!.breaks).toEqual([
    "gives access to people who have joined, which the older version does not record",
  ]);
  expect(estimate.blockedSeconds).toBeLessThanOrEqual(estimate.seconds);
  expect(estimate.blocks).toEqual(kind === "sqlite" ? "everything" : expect.arrayContaining(["deliveries"]));
  expect(await schemaState(database)).toEqual(before);
  await migrateUp(database);
});
