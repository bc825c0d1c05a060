/** Counts what a chain of runs has caused, and what a trigger was refused: workflow_runs.caused_runs, workflow_trigger_days.throttled, throttled_at, told_at. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123065400_bounded_chains extends Migration {
  override readonly name = "Migration20261123065400_bounded_chains";

  override up(): void {
    this.addSql(`alter table \`workflows\` drop column \`chain_grew_at\`;`);

    this.addSql(`alter table \`workflow_trigger_days\` add column \`throttled\` integer not null default 0;`);
    this.addSql(`alter table \`workflow_trigger_days\` add column \`throttled_at\` datetime null;`);
    this.addSql(`alter table \`workflow_trigger_days\` add column \`told_at\` datetime null;`);
    this.addSql(`create index "workflow_trigger_days_untold" on "workflow_trigger_days" ("workflow_id", "slot") where "throttled_at" is not null and "told_at" is null;`);

    this.addSql(`drop index \`workflow_runs_of_origin\`;`);
    this.addSql(`alter table \`workflow_runs\` add column \`caused_runs\` integer not null default 0;`);
  }

  override down(): void {
    this.addSql(`alter table \`workflow_runs\` drop column \`caused_runs\`;`);
    this.addSql(`create index "workflow_runs_of_origin" on "workflow_runs" ("origin_run_id") where "origin_run_id" is not null;`);

    this.addSql(`drop index \`workflow_trigger_days_untold\`;`);
    this.addSql(`alter table \`workflow_trigger_days\` drop column \`throttled\`;`);
    this.addSql(`alter table \`workflow_trigger_days\` drop column \`throttled_at\`;`);
    this.addSql(`alter table \`workflow_trigger_days\` drop column \`told_at\`;`);

    this.addSql(`alter table \`workflows\` add column \`chain_grew_at\` datetime null;`);
  }
}
