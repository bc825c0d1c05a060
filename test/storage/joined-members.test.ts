/** The migration by which memberships begin when their person joins, and its reversal: neither lets in a person who has not. */
import { expect, test } from "vitest";
import { migrateDown, migrateUp } from "../../src/storage/migrations/migrate.ts";
import { migrationFolder, readMigrationNames } from "../../src/storage/migrations/migration-files.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import { givenEarlyLocation } from "../support/early-records.ts";

const people = [
  { email: "a member", password_hash: "…", isJoined: true },
  { email: "invited, with a password that the older version would take", password_hash: "…", isJoined: false },
  { email: "invited, without one", password_hash: null, isJoined: false },
];

test.each([...databaseKinds])("on %s", async (kind) => {
  await using fresh = await openFresh(kind, { migrated: false });
  const { database } = fresh;
  const to = readMigrationNames(migrationFolder(kind)).find((name) => name.endsWith("_joined_members"))!;
  await migrateUp(database, { to });
  await database.transaction(async (transaction) => {
    const { insert, made, workspace_id, location_id } = await givenEarlyLocation(transaction);
    const { created_at } = made;
    for (const { email, password_hash, isJoined } of people) {
      const user_id = await insert("users", { name: email, email, email_key: email, password_hash, created_at });
      const member = { workspace_id, user_id, role: "member", all_locations: false, created_at };
      const membership_id = await insert("memberships", { ...member, joined_at: isJoined ? created_at : null });
      await insert("membership_locations", { membership_id, location_id });
      const link = { kind: "invitation", user_id, membership_id, hash: email, created_at, expires_at: created_at };
      await insert("account_links", link);
    }
  });
  const emails = async (table: string) =>
    (
      await database.rows<{ email: string }>(
        `select email from ${table} t join memberships m on m.id = t.membership_id join users u on u.id = m.user_id order by u.id`,
      )
    ).map(({ email }) => email);

  const kept = ["a member", "invited, without one"];
  await migrateDown(database, { to });
  expect(await emails("membership_locations")).toEqual(kept);
  expect(await emails("account_links")).toEqual(kept);
  await migrateUp(database, { to });
  expect(await emails("account_links")).toEqual(kept);
  const joined = "select email from memberships m join users u on u.id = m.user_id where joined_at is not null";
  expect(await database.rows(joined)).toEqual([{ email: "a member" }]);
});
