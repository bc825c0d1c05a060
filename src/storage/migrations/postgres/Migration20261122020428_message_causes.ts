/** Adds the workflow run that wrote a message, the cause of its later events. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122020428_message_causes extends Migration {
  override readonly name = "Migration20261122020428_message_causes";

  override up(): void {
    this.addSql(`alter table "messages" add "cause_run_id" bigint null, add "cause_depth" bigint not null default 0;`);
  }

  override down(): void {
    this.addSql(`alter table "messages" drop column "cause_run_id", drop column "cause_depth";`);
  }
}
