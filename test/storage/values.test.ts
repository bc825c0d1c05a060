/** Values survive a round trip on both databases, written and read through entities or rows. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../src/storage/database.ts";
import { Membership } from "../../src/tenancy/users/membership.entity.ts";
import { User } from "../../src/tenancy/users/user.entity.ts";
import { Workspace } from "../../src/tenancy/workspaces/workspace.entity.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

const times = [
  "2026-03-01T12:00:00.007Z",
  "2026-03-29T01:30:00.000Z", // missing on clocks in Europe
  "2026-11-01T06:30:00.500Z", // twice on clocks in New York
  "1969-12-31T23:59:59.999Z",
  "0099-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
];

describe.each(databaseKinds)("values on %s", (kind) => {
  let database: Database;

  beforeAll(async () => {
    const fresh = await openFresh(kind);
    ({ database } = fresh);
    return () => fresh[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    for (const table of ["memberships", "users", "workspaces"]) {
      await database.transaction(({ rows }) => rows(`delete from ${table}`));
    }
  });

  it.each(times)("keep the time %s to the millisecond", async (time) => {
    const at = new Date(time);
    await database.transaction(async (transaction) => {
      await transaction.rows("insert into workspaces (name, created_at) values (?, ?)", ["by rows", at]);
      transaction.em.create(Workspace, { name: "by entity", createdAt: at });
      await transaction.em.flush();
    });
    const text = "select name, created_at from workspaces where created_at = ? order by id";
    expect(await database.rows(text, [at])).toEqual([
      { name: "by rows", created_at: at.getTime() },
      { name: "by entity", created_at: at.getTime() },
    ]);
    await database.transaction(async ({ em }) => {
      const found = await em.find(Workspace, { createdAt: at });
      expect(found.map(({ createdAt }) => createdAt)).toEqual([at, at]);
    });
  });

  it.each([true, false])("keep %s, in entities and in rows", async (allLocations) => {
    const createdAt = new Date(0);
    const id = await database.transaction(async ({ em, rows }) => {
      const workspace = em.create(Workspace, { name: "Acme", createdAt });
      const [ada, bea] = ["ada", "bea"].map((name) =>
        em.create(User, { name, email: `${name}@acme.example`, emailKey: `${name}@acme.example`, createdAt }),
      );
      em.create(Membership, { workspace, user: ada!, role: "member", allLocations, createdAt });
      await em.flush();
      await rows(
        "insert into memberships (workspace_id, user_id, role, all_locations, created_at) values (?, ?, ?, ?, ?)",
        [workspace.id, bea!.id, "member", allLocations, createdAt],
      );
      return workspace.id;
    });
    const found = await database.rows<{ all_locations: unknown }>("select all_locations from memberships order by id");
    expect(found.map((row) => Boolean(row.all_locations))).toEqual([allLocations, allLocations]);
    expect(await database.rows("select id from memberships where all_locations = ?", [allLocations])).toHaveLength(2);
    expect(await database.rows("select id from memberships where all_locations")).toHaveLength(allLocations ? 2 : 0);
    await database.transaction(async ({ em }) => {
      const members = await em.find(Membership, { workspace: id });
      expect(members.map((member) => member.allLocations)).toEqual([allLocations, allLocations]);
    });
  });

  it.each([1, 2 ** 31, 2 ** 53 - 1])("return the id %i, its count and its sum as numbers", async (id) => {
    await database.transaction(({ rows }) =>
      rows("insert into workspaces (id, name, created_at) values (?, '', ?)", [id, new Date(0)]),
    );
    expect(await database.rows("select id, count(*) as count, sum(id) as sum from workspaces group by id")).toEqual([
      { id, count: 1, sum: id },
    ]);
    await database.transaction(async ({ em }) => {
      expect((await em.findOneOrFail(Workspace, { id })).id).toBe(id);
    });
  });

  it.each(["", "plain", "O'Neil; drop table users --", '100 % _ ? $1 :name \\ "', "été 🎉 漢字", "two\nlines\ttab"])(
    "keep the text %j",
    async (name) => {
      await database.transaction(async (transaction) => {
        await transaction.rows("insert into workspaces (name, created_at) values (?, ?)", [name, new Date(0)]);
        transaction.em.create(Workspace, { name, createdAt: new Date(0) });
        await transaction.em.flush();
      });
      expect(await database.rows("select name from workspaces where name = ?", [name])).toEqual([{ name }, { name }]);
    },
  );
});
