/** `crm upgrade-check`: before the upgrade, which migration keeps which writes waiting, and for about how long. */
import { expect, onTestFinished, test } from "vitest";
import { entities } from "../../src/entities.ts";
import { carriedMigrations } from "../../src/storage/migrations/migrate.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";

const deliveries = 200_000;

test.each(sampleOf("upgrade-check", 1, databaseKinds))(
  "an index of %s that takes longer than a second",
  async (kind) => {
    const acme = await createTerminal(kind);
    onTestFinished(() => acme.close());
    await setUpAcme(acme);
    expect(await acme.json("upgrade-check")).toMatchObject({ migrations: [], blocks: [] });
    const name = carriedMigrations({ dialect: kind }).find((one) => one.endsWith("_failed_deliveries_by_time"))!;
    expect(await acme.run(["migrate", "down", "--to", name, "--yes"])).toMatchObject({ code: 0 });
    const database = await openDatabase(acme.environment["CRM_DATABASE_URL"]!, entities);
    await database.transaction(async ({ rows }) => {
      await rows(
        `insert into hooks (workspace_id, scopes, target_url, secret, status, after_position, created_at)
        values (1, '[]', 'https://192.0.3.1', '', 'active', 0, ?)`,
        [new Date()],
      );
      await rows(
        `insert into deliveries (hook_id, event_id, state, created_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${deliveries})
        select 1, n, 'failed', ${kind === "sqlite" ? "0" : "now()"} from numbers`,
      );
    });
    await database.close();

    const { code, stdout } = await acme.run(["upgrade-check"]);
    expect(code).toBe(0);
    const step = `  builds an index on deliveries: ${deliveries} rows, about 2 seconds`;
    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining(
        kind === "sqlite"
          ? [`${name}: all writes wait for about 2 seconds`, step]
          : [name, `${step}, while writes go on`],
      ),
    );
    const { migrations } = await acme.json("upgrade-check");
    expect(migrations.find((one: { name: string }) => one.name === name)).toMatchObject({
      seconds: expect.closeTo(1.2),
      blocked_seconds: kind === "sqlite" ? expect.closeTo(1.2) : 0,
    });
  },
);
