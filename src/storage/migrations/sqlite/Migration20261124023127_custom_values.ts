/** Values of custom fields, and whether a workspace has defined any. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261124023127_custom_values extends Migration {
  override readonly name = "Migration20261124023127_custom_values";

  override up(): void {
    this.addSql(`create table \`custom_values\` (\`id\` integer not null primary key autoincrement, \`contact_id\` integer not null, \`field_id\` integer not null, \`location_id\` integer not null, \`value\` text not null, \`key\` text not null, \`long_key\` text null, constraint \`custom_values_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete cascade, constraint \`custom_values_field_id_foreign\` foreign key (\`field_id\`) references \`custom_fields\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`custom_values_by_key\` on \`custom_values\` (\`field_id\`, \`location_id\`, \`key\`, \`contact_id\`);`);
    this.addSql(`create unique index \`custom_values_once\` on \`custom_values\` (\`contact_id\`, \`field_id\`, \`key\`);`);

    this.addSql(`alter table \`workspaces\` add column \`has_custom_fields\` integer not null default false;`);

    this.addSql(`update workspaces set has_custom_fields = true where id in (select workspace_id from custom_fields);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`custom_values\`;`);

    this.addSql(`alter table \`workspaces\` drop column \`has_custom_fields\`;`);
  }
}
