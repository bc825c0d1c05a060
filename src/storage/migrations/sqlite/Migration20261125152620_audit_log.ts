/** The audit log: its entries, and the ends of its hash chain. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125152620_audit_log extends Migration {
  override readonly name = "Migration20261125152620_audit_log";

  override up(): void {
    this.addSql(`create table \`audit_entries\` (\`id\` integer not null primary key autoincrement, \`workspace_id\` integer not null, \`location_id\` integer null, \`operation\` text not null, \`actor_type\` text check (\`actor_type\` in ('user', 'api_key', 'app', 'workflow', 'contact', 'system', 'operator', 'anonymous')) not null, \`actor_id\` integer not null, \`address\` text null, \`subject\` text null, \`subject_id\` integer null, \`details\` text null, \`created_at\` datetime not null, \`position\` integer null, \`hash\` text null);`);
    this.addSql(`create index \`audit_entries_of_workspace\` on \`audit_entries\` (\`workspace_id\`, \`created_at\`, \`id\`);`);
    this.addSql(`create index \`audit_entries_of_operation\` on \`audit_entries\` (\`workspace_id\`, \`operation\`, \`created_at\`, \`id\`);`);
    this.addSql(`create index \`audit_entries_of_actor\` on \`audit_entries\` (\`workspace_id\`, \`actor_type\`, \`actor_id\`, \`created_at\`, \`id\`);`);
    this.addSql(`create index \`audit_entries_of_actor_operation\` on \`audit_entries\` (\`workspace_id\`, \`actor_type\`, \`actor_id\`, \`operation\`, \`created_at\`, \`id\`);`);
    this.addSql(`create index "audit_entries_unchained" on "audit_entries" ("id") where "position" is null;`);
    this.addSql(`create unique index \`audit_entries_position\` on \`audit_entries\` (\`position\`);`);

    this.addSql(`create table \`audit_log\` (\`id\` integer not null primary key autoincrement, \`last_position\` integer not null default 0, \`last_hash\` text not null, \`anchor_position\` integer not null default 0, \`anchor_hash\` text not null, \`seal\` text null);`);
    this.addSql(`insert into audit_log (id, last_hash, anchor_hash) values (1, '', '');`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`audit_entries\`;`);
    this.addSql(`drop table if exists \`audit_log\`;`);
  }
}
