/** The newest backup, and the schedule and lease of those that the worker takes. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125160206_backup_records extends Migration {
  override readonly name = "Migration20261125160206_backup_records";

  override up(): void {
    this.addSql(`create table \`backup_records\` (\`id\` integer not null primary key autoincrement, \`taken_at\` datetime null, \`bytes\` integer null, \`name\` text null, \`schedule\` text null, \`due_at\` datetime null, \`leased_until\` datetime null, \`leased_by\` integer null, \`fence\` integer not null default 0, \`failing_since\` datetime null, \`error\` text null, \`told_at\` datetime null);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`backup_records\`;`);
  }
}
