/** Adds the cause of events, and counts what a trigger passed over: events.cause, workflow_trigger_days.imported. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123060536_imports_start_nothing extends Migration {
  override readonly name = "Migration20261123060536_imports_start_nothing";

  override up(): void {
    this.addSql(`alter table "events" add "cause" text null;`);

    this.addSql(`alter table "workflow_trigger_days" add "imported" bigint not null default 0;`);
  }

  override down(): void {
    this.addSql(`alter table "events" drop column "cause";`);

    this.addSql(`alter table "workflow_trigger_days" drop column "imported";`);
  }
}
