/** Adds workflow_run_steps, the history of runs as a ring buffer per run, and workflow_runs.step_count. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123024647_workflow_run_steps extends Migration {
  override readonly name = "Migration20261123024647_workflow_run_steps";

  override up(): void {
    this.addSql(`create table "workflow_run_steps" ("run_id" bigint not null, "slot" bigint not null, "number" bigint not null, "node_id" text not null, "type" text not null, "outcome" text not null, "detail" text not null, "attempt" bigint not null, "at" timestamptz(3) not null, primary key ("run_id", "slot"));`);

    this.addSql(`alter table "workflow_runs" add "step_count" bigint not null default 0;`);

    this.addSql(`alter table "workflow_run_steps" add constraint "workflow_run_steps_run_id_foreign" foreign key ("run_id") references "workflow_runs" ("id") on delete cascade;`);
    this.addSql(`alter table "workflow_run_steps" add constraint "workflow_run_steps_outcome_check" check ("outcome" in ('done', 'waits', 'retries', 'failed', 'ended', 'retried'));`);
  }

  override down(): void {
    this.addSql(`drop table if exists "workflow_run_steps" cascade;`);

    this.addSql(`alter table "workflow_runs" drop column "step_count";`);
  }
}
