/** Counts the events of a trigger that have no contact or are automatic: workflow_trigger_days.without_contact, automatic. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125194626_trigger_counts_complete extends Migration {
  override readonly name = "Migration20261125194626_trigger_counts_complete";

  override up(): void {
    this.addSql(`alter table \`workflow_trigger_days\` add column \`without_contact\` integer not null default 0;`);
    this.addSql(`alter table \`workflow_trigger_days\` add column \`automatic\` integer not null default 0;`);
  }

  override down(): void {
    this.addSql(`alter table \`workflow_trigger_days\` drop column \`without_contact\`;`);
    this.addSql(`alter table \`workflow_trigger_days\` drop column \`automatic\`;`);
  }
}
