/** Messages count how often they were retried, so that receipts about earlier tries are ignored. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123064824_message_retries extends Migration {
  override readonly name = "Migration20261123064824_message_retries";

  override up(): void {
    this.addSql(`alter table \`messages\` add column \`retries\` integer not null default 0;`);
  }

  override down(): void {
    this.addSql(`alter table \`messages\` drop column \`retries\`;`);
  }
}
