/** Memberships begin when their person accepts the invitation: those of people with a password have begun. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261128223503_joined_members extends Migration {
  override readonly name = "Migration20261128223503_joined_members";
  readonly breaks = "gives access to people who have joined, which the older version does not record";

  override up(): void {
    this.addSql(`alter table "memberships" add "joined_at" timestamptz(3) null;`);
    this.addSql(`update "memberships" set "joined_at" = "created_at" where "user_id" in (select "id" from "users" where "password_hash" is not null);`);
  }

  override down(): void {
    // The version before would let these in.
    const invited = `select id from memberships where joined_at is null and user_id in (select id from users where password_hash is not null)`;
    for (const table of ["account_links", "membership_locations"])
      this.addSql(`delete from ${table} where membership_id in (${invited});`);
    this.addSql(`delete from memberships where id in (${invited});`);
    this.addSql(`alter table "memberships" drop column "joined_at";`);
  }
}
