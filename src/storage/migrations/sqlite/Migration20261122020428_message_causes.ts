/** Adds the workflow run that wrote a message, the cause of its later events. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122020428_message_causes extends Migration {
  override readonly name = "Migration20261122020428_message_causes";

  override up(): void {
    this.addSql(`alter table \`messages\` add column \`cause_run_id\` integer null;`);
    this.addSql(`alter table \`messages\` add column \`cause_depth\` integer not null default 0;`);
  }

  override down(): void {
    this.addSql(`alter table \`messages\` drop column \`cause_run_id\`;`);
    this.addSql(`alter table \`messages\` drop column \`cause_depth\`;`);
  }
}
