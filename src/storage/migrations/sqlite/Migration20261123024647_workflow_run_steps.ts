/** Adds workflow_run_steps, the history of runs as a ring buffer per run, and workflow_runs.step_count. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123024647_workflow_run_steps extends Migration {
  override readonly name = "Migration20261123024647_workflow_run_steps";

  override up(): void {
    this.addSql(`create table \`workflow_run_steps\` (\`run_id\` integer not null, \`slot\` integer not null, \`number\` integer not null, \`node_id\` text not null, \`type\` text not null, \`outcome\` text check (\`outcome\` in ('done', 'waits', 'retries', 'failed', 'ended', 'retried')) not null, \`detail\` text not null, \`attempt\` integer not null, \`at\` datetime not null, primary key (\`run_id\`, \`slot\`), constraint \`workflow_run_steps_run_id_foreign\` foreign key (\`run_id\`) references \`workflow_runs\` (\`id\`) on delete cascade);`);

    this.addSql(`alter table \`workflow_runs\` add column \`step_count\` integer not null default 0;`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`workflow_run_steps\`;`);

    this.addSql(`alter table \`workflow_runs\` drop column \`step_count\`;`);
  }
}
