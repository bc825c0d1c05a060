/** Custom fields: fields of contacts that a workspace defines itself. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261124021720_custom_fields extends Migration {
  override readonly name = "Migration20261124021720_custom_fields";

  override up(): void {
    this.addSql(`create table "custom_fields" ("id" bigserial primary key, "workspace_id" bigint not null, "subject" text not null, "key" text not null, "name" text not null, "type" text not null, "options" text null, "created_at" timestamptz(3) not null);`);
    this.addSql(`alter table "custom_fields" add constraint "custom_fields_key" unique ("workspace_id", "subject", "key");`);

    this.addSql(`alter table "custom_fields" add constraint "custom_fields_workspace_id_foreign" foreign key ("workspace_id") references "workspaces" ("id") on delete restrict;`);
    this.addSql(`alter table "custom_fields" add constraint "custom_fields_subject_check" check ("subject" in ('contact', 'opportunity'));`);
    this.addSql(`alter table "custom_fields" add constraint "custom_fields_type_check" check ("type" in ('text', 'long_text', 'number', 'money', 'date', 'boolean', 'select', 'multiselect', 'url'));`);

    // API keys with all scopes hold the new ones too.
    this.addSql(`update api_keys set scopes = substr(scopes, 1, length(scopes) - 1) || ',"custom_fields.readonly","custom_fields.write"]' where json_array_length(cast(scopes as json)) >= 19;`);
  }

  override down(): void {
    this.addSql(`update api_keys set scopes = replace(scopes, ',"custom_fields.readonly","custom_fields.write"', '');`);
    this.addSql(`drop table if exists "custom_fields" cascade;`);
  }
}
