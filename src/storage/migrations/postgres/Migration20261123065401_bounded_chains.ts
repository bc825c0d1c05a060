/** Counts what a chain of runs has caused, and what a trigger was refused: workflow_runs.caused_runs, workflow_trigger_days.throttled, throttled_at, told_at. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123065401_bounded_chains extends Migration {
  override readonly name = "Migration20261123065401_bounded_chains";

  override up(): void {
    this.addSql(`alter table "workflows" drop column "chain_grew_at";`);

    this.addSql(`alter table "workflow_trigger_days" add "throttled" bigint not null default 0, add "throttled_at" timestamptz(3) null, add "told_at" timestamptz(3) null;`);
    this.addSql(`create index "workflow_trigger_days_untold" on "workflow_trigger_days" ("workflow_id", "slot") where "throttled_at" is not null and "told_at" is null;`);

    this.addSql(`drop index "workflow_runs_of_origin";`);
    this.addSql(`alter table "workflow_runs" add "caused_runs" bigint not null default 0;`);
  }

  override down(): void {
    this.addSql(`alter table "workflow_runs" drop column "caused_runs";`);
    this.addSql(`create index "workflow_runs_of_origin" on "workflow_runs" ("origin_run_id") where "origin_run_id" is not null;`);

    this.addSql(`drop index "workflow_trigger_days_untold";`);
    this.addSql(`alter table "workflow_trigger_days" drop column "throttled", drop column "throttled_at", drop column "told_at";`);

    this.addSql(`alter table "workflows" add "chain_grew_at" timestamptz(3) null;`);
  }
}
