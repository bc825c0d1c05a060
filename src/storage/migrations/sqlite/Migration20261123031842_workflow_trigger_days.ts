/** Adds workflow_trigger_days: what became of the events of triggers, by day. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123031842_workflow_trigger_days extends Migration {
  override readonly name = "Migration20261123031842_workflow_trigger_days";

  override up(): void {
    this.addSql(`create table \`workflow_trigger_days\` (\`workflow_id\` integer not null, \`slot\` integer not null, \`day\` integer not null, \`started\` integer not null, \`filtered\` integer not null, \`reentered\` integer not null, \`too_deep\` integer not null, primary key (\`workflow_id\`, \`slot\`), constraint \`workflow_trigger_days_workflow_id_foreign\` foreign key (\`workflow_id\`) references \`workflows\` (\`id\`) on delete cascade);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`workflow_trigger_days\`;`);
  }
}
