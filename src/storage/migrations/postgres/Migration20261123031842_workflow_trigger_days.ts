/** Adds workflow_trigger_days: what became of the events of triggers, by day. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123031842_workflow_trigger_days extends Migration {
  override readonly name = "Migration20261123031842_workflow_trigger_days";

  override up(): void {
    this.addSql(`create table "workflow_trigger_days" ("workflow_id" bigint not null, "slot" bigint not null, "day" bigint not null, "started" bigint not null, "filtered" bigint not null, "reentered" bigint not null, "too_deep" bigint not null, primary key ("workflow_id", "slot"));`);

    this.addSql(`alter table "workflow_trigger_days" add constraint "workflow_trigger_days_workflow_id_foreign" foreign key ("workflow_id") references "workflows" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "workflow_trigger_days" cascade;`);
  }
}
