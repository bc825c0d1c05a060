/** The migration that introduced pipelines gives existing locations the default pipeline of new ones. */
import { expect, test } from "vitest";
import { listPipelines } from "../../src/crm/pipelines/pipeline.queries.ts";
import { createDefaultPipeline } from "../../src/crm/pipelines/pipeline.service.ts";
import { createCallAs } from "../../src/events/call-as.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { insertRows } from "../../src/storage/inserting/insert.ts";
import { migrateUp } from "../../src/storage/migrations/migrate.ts";
import { migrationFolder, readMigrationNames } from "../../src/storage/migrations/migration-files.ts";
import type { Value } from "../../src/storage/value.ts";
import { operatorOf } from "../../src/operation/callers.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { toolsOf } from "../support/tools.ts";

test.each([...databaseKinds])("on %s an existing location gets the default pipeline", async (kind) => {
  await using fresh = await openFresh(kind, { migrated: false });
  const { database } = fresh;
  const names = readMigrationNames(migrationFolder(kind));
  await migrateUp(database, { to: names[names.findIndex((name) => name.endsWith("_pipelines")) - 1] });
  const [workspaceId, old, other] = await database.transaction(async (transaction) => {
    const created_at = new Date();
    const insert = async (table: string, record: Record<string, Value>): Promise<number> =>
      (await insertRows(transaction, { table, columns: Object.keys(record) }, [record]))[0]!;
    const workspace_id = await insert("workspaces", { name: "Acme", created_at });
    const location = { workspace_id, country: "US", timezone: "UTC", created_at, updated_at: created_at };
    const locations = [await insert("locations", { ...location, name: "North" })];
    locations.push(await insert("locations", { ...location, name: "South" }));
    return [workspace_id, ...locations] as [number, number, number];
  });
  await migrateUp(database);

  const callAs = createCallAs({ database, tools: toolsOf(systemClock), committed: () => {} });
  const pipelinesOf = async (id: number) => {
    const caller = callAs({ ...operatorOf(workspaceId), location: { id, country: "US", timezone: "UTC" } });
    return (await listPipelines(caller, {})).data.map(({ name, stages }) => ({
      name,
      stages: stages.map(({ id: _id, ...stage }) => stage),
    }));
  };
  await callAs(operatorOf(workspaceId)).change((change) => createDefaultPipeline(change, other));
  const [given, made] = await pipelinesOf(other);
  expect(given?.stages).toHaveLength(5);
  expect(given).toEqual(made);
  expect(await pipelinesOf(old)).toEqual([made]);
});
