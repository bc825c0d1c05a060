/** An index that counts the messages of workflows to a contact within an hour. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122170703_messages_of_runs extends Migration {
  override readonly name = "Migration20261122170703_messages_of_runs";

  override up(): void {
    this.addSql(`create index "messages_of_runs" on "messages" ("conversation_id", "created_at") where "cause_run_id" is not null;`);
  }

  override down(): void {
    this.addSql(`drop index \`messages_of_runs\`;`);
  }
}
