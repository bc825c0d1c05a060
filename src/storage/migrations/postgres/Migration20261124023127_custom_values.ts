/** Values of custom fields, and whether a workspace has defined any. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261124023127_custom_values extends Migration {
  override readonly name = "Migration20261124023127_custom_values";

  override up(): void {
    this.addSql(`create table "custom_values" ("id" bigserial primary key, "contact_id" bigint not null, "field_id" bigint not null, "location_id" bigint not null, "value" text not null, "key" text collate "C" not null, "long_key" text null);`);
    this.addSql(`create index "custom_values_by_key" on "custom_values" ("field_id", "location_id", "key", "contact_id");`);
    this.addSql(`alter table "custom_values" add constraint "custom_values_once" unique ("contact_id", "field_id", "key");`);

    this.addSql(`alter table "workspaces" add "has_custom_fields" boolean not null default false;`);

    this.addSql(`alter table "custom_values" add constraint "custom_values_contact_id_foreign" foreign key ("contact_id") references "contacts" ("id") on delete cascade;`);
    this.addSql(`alter table "custom_values" add constraint "custom_values_field_id_foreign" foreign key ("field_id") references "custom_fields" ("id") on delete cascade;`);

    this.addSql(`update workspaces set has_custom_fields = true where id in (select workspace_id from custom_fields);`);
  }

  override down(): void {
    this.addSql(`drop table if exists "custom_values" cascade;`);

    this.addSql(`alter table "workspaces" drop column "has_custom_fields";`);
  }
}
