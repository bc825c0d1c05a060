/** Marketplace apps. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121191754_apps extends Migration {
  override readonly name = "Migration20261121191754_apps";

  override up(): void {
    this.addSql(`create table \`apps\` (\`id\` integer not null primary key autoincrement, \`workspace_id\` integer not null, \`name\` text not null, \`client_id\` text not null, \`secret_hash\` text not null, \`secret_last_four\` text not null, \`redirect_uris\` text not null, \`scopes\` text not null, \`published_at\` datetime null, \`created_at\` datetime not null, constraint \`apps_workspace_id_foreign\` foreign key (\`workspace_id\`) references \`workspaces\` (\`id\`) on delete restrict);`);
    this.addSql(`create unique index \`apps_client_id\` on \`apps\` (\`client_id\`);`);
    this.addSql(`create index \`apps_of_workspace\` on \`apps\` (\`workspace_id\`, \`id\`);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`apps\`;`);
  }
}
