/** Indexes of large tables are built before the transaction that migrates, while changes go on, where PostgreSQL can. */
import { describe, expect, test } from "vitest";
import type { Database } from "../../src/storage/database.ts";
import { indexesAhead } from "../../src/storage/migrations/indexes-ahead.ts";
import { migrateUp } from "../../src/storage/migrations/migrate.ts";
import { openFresh } from "../support/databases.ts";
import { writeMigrations } from "../support/write-migrations.ts";

const byName = 'create index "pets_by_name" on "pets" ("name")';
const byAge = 'create index "pets_by_age" on "pets" ("age")';

test.each<[what: string, statements: string[], ahead: string[]]>([
  ["an index", [byName], [byName]],
  ["of a new column", ['alter table "pets" add "age" bigint null, add "size" bigint null', byAge], []],
  ["beside a new column", ['alter table "pets" add "age" bigint null', byName], [byName]],
  ["a unique one", ['create unique index "pets_once" on "pets" ("name")'], []],
  ["of a new table", ['create table "pets" ("name" text)', byName], []],
  ["of rows that the migrations write", ['update "pets" set "name" = lower("name")', byName], []],
  ["of a column that is renamed", ['alter table "pets" rename column "name" to "former_name"', byName], []],
  ["of a column whose type changes", ['alter table "pets" alter column "name" type text collate "C"', byName], []],
  ["that takes the name of another", ['drop index "pets_by_name"', byName], []],
  ["that a later one drops", [byName, 'drop index "pets_by_name"'], []],
])("%s", (_what, statements, ahead) => {
  expect([...indexesAhead([{ statements }])]).toEqual(ahead);
});

describe("on PostgreSQL", () => {
  /** A table that counts as large, a migration that adds a column and two indexes, and what is built ahead of it. */
  async function givenPets() {
    const fresh = await openFresh("postgres", { migrated: false });
    const { database, directory: folder } = fresh;
    const first = "Migration20260101000000_first";
    await writeMigrations(folder, {
      [first]: [
        'create table "pets" ("id" bigserial primary key, "name" text not null)',
        `insert into pets (name) values ('Rex')`,
      ],
      Migration20260102000000_second: ['alter table "pets" add "age" bigint null', byName, byAge],
    });
    await migrateUp(database, { folder, to: first });
    const ahead: string[] = [];
    const build = database.buildIndex!;
    let during = async () => {};
    Object.assign(database, {
      async buildIndex(statement: string, name: string) {
        const work = during;
        during = async () => {};
        await Promise.all([build(statement, name).then(() => ahead.push(name)), work()]);
      },
    });
    return {
      database,
      ahead,
      migrate: (work = async () => {}) => {
        during = work;
        return migrateUp(database, { folder, largeFrom: 0 });
      },
      openAgain: fresh.openAgain,
      [Symbol.asyncDispose]: () => fresh[Symbol.asyncDispose](),
    };
  }

  const indexesOf = (database: Database) =>
    database.rowsOnce(
      `select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
       where indrelid = 'pets'::regclass and not indisprimary order by relname`,
    );
  const both = [
    { name: "pets_by_age", valid: true },
    { name: "pets_by_name", valid: true },
  ];

  test("those of existing columns are, the others in the transaction", async () => {
    await using pets = await givenPets();
    await pets.migrate();
    expect([pets.ahead, await indexesOf(pets.database)]).toEqual([["pets_by_name"], both]);
  });

  test("while a process waits to migrate, and others write", async () => {
    await using pets = await givenPets();
    const other = await pets.openAgain();
    let waited: Promise<unknown> = Promise.resolve();
    await pets.migrate(async () => {
      waited = other.exclusively("migrate", async () => "its turn");
      await other.transaction(({ rows }) => rows("insert into pets (name) values ('Tom')"));
    });
    expect([pets.ahead, await waited]).toEqual([["pets_by_name"], "its turn"]);
    expect(await pets.database.rows("select name from pets order by id")).toEqual([{ name: "Rex" }, { name: "Tom" }]);
  });

  test("once a backup that reads the table has ended", async () => {
    await using pets = await givenPets();
    const other = await pets.openAgain();
    const [reading, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const backup = other.snapshot(async ({ rowsOnce }) => {
      await rowsOnce("select id from pets");
      reading.resolve();
      await ending.promise;
    });
    await reading.promise;
    const migrated = pets.migrate();
    await expect.poll(() => indexesOf(other), { timeout: 10_000 }).toEqual([{ name: "pets_by_name", valid: false }]);
    ending.resolve();
    await Promise.all([backup, migrated]);
    expect([pets.ahead, await indexesOf(pets.database)]).toEqual([["pets_by_name"], both]);
  });

  test("what an interrupted build has left is built again", async () => {
    await using pets = await givenPets();
    await pets.database.transaction(async ({ rowsOnce }) => {
      await rowsOnce(byName);
      await rowsOnce("update pg_index set indisvalid = false where indexrelid = 'pets_by_name'::regclass");
    });
    await pets.migrate();
    expect([pets.ahead, await indexesOf(pets.database)]).toEqual([["pets_by_name"], both]);
  });

  test("what an interrupted run has built is left as it is", async () => {
    await using pets = await givenPets();
    await pets.database.transaction(({ rowsOnce }) => rowsOnce(byName));
    await pets.migrate();
    expect([pets.ahead, await indexesOf(pets.database)]).toEqual([[], both]);
  });
});
