/** Marketplace apps. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121191754_apps extends Migration {
  override readonly name = "Migration20261121191754_apps";

  override up(): void {
    this.addSql(`create table "apps" ("id" bigserial primary key, "workspace_id" bigint not null, "name" text not null, "client_id" text not null, "secret_hash" text not null, "secret_last_four" text not null, "redirect_uris" text not null, "scopes" text not null, "published_at" timestamptz(3) null, "created_at" timestamptz(3) not null);`);
    this.addSql(`alter table "apps" add constraint "apps_client_id" unique ("client_id");`);
    this.addSql(`create index "apps_of_workspace" on "apps" ("workspace_id", "id");`);

    this.addSql(`alter table "apps" add constraint "apps_workspace_id_foreign" foreign key ("workspace_id") references "workspaces" ("id") on delete restrict;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "apps" cascade;`);
  }
}
