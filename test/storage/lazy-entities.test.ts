/** Entities are discovered when an EntityManager is first used: opening a database, reading and compiled statements need none. */
import { MikroORM } from "@mikro-orm/sqlite";
import { describe, expect, test } from "vitest";
import { entities } from "../../src/entities.ts";
import { createLazyEntities, noEntities } from "../../src/storage/transaction.ts";
import { Workspace } from "../../src/tenancy/workspaces/workspace.entity.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

test("the first call discovers all of them, and later ones nothing", async () => {
  const orm = await MikroORM.init({ ...noEntities, dbName: ":memory:" });
  const withEntities = createLazyEntities(orm, entities);
  expect(orm.getMetadata().getAll().size).toBe(0);
  expect(withEntities()).toBe(orm);
  const discovered = [...orm.getMetadata().getAll().values()];
  expect(discovered.length).toBeGreaterThanOrEqual(entities.length);
  withEntities();
  expect([...orm.getMetadata().getAll().values()]).toEqual(discovered);
  await orm.close();
});

describe.each([...databaseKinds])("on %s", (kind) => {
  test("transactions at once use the entities of one discovery, in two connections of a process as well", async () => {
    await using fresh = await openFresh(kind);
    const again = await fresh.openAgain();
    const names = Array.from({ length: 4 }, (_, number) => `Workspace ${number}`);
    await Promise.all(
      names.map((name, number) =>
        [fresh.database, again][number % 2]!.transaction(async ({ em }) => {
          em.create(Workspace, { name, createdAt: new Date(0) });
          await em.flush();
        }),
      ),
    );
    expect(await fresh.database.rows("select name from workspaces order by name")).toEqual(
      names.map((name) => ({ name })),
    );
  });
});
