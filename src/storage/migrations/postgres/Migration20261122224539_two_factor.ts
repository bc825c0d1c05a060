/** Adds two-factor sign-in, with recovery codes and a requirement per workspace, and the browser and last use of sessions. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122224539_two_factor extends Migration {
  override readonly name = "Migration20261122224539_two_factor";

  override up(): void {
    this.addSql(`create table "second_factors" ("id" bigserial primary key, "user_id" bigint not null, "secret" text not null, "last_step" bigint not null, "created_at" timestamptz(3) not null);`);
    this.addSql(`alter table "second_factors" add constraint "second_factors_of_user" unique ("user_id");`);

    this.addSql(`create table "recovery_codes" ("id" bigserial primary key, "user_id" bigint not null, "hash" text not null, "used_at" timestamptz(3) null);`);
    this.addSql(`alter table "recovery_codes" add constraint "recovery_codes_of_user" unique ("user_id", "hash");`);

    this.addSql(`alter table "sessions" add "user_agent" text null, add "last_used_at" timestamptz(3) null;`);

    this.addSql(`alter table "workspaces" add "two_factor_required" boolean not null default false;`);

    this.addSql(`alter table "second_factors" add constraint "second_factors_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);

    this.addSql(`alter table "recovery_codes" add constraint "recovery_codes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "second_factors" cascade;`);
    this.addSql(`drop table if exists "recovery_codes" cascade;`);

    this.addSql(`alter table "sessions" drop column "user_agent", drop column "last_used_at";`);

    this.addSql(`alter table "workspaces" drop column "two_factor_required";`);
  }
}
