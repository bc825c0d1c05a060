/** Workflows, their published versions, and their runs. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121222927_workflows extends Migration {
  override readonly name = "Migration20261121222927_workflows";

  override up(): void {
    this.addSql(`create table \`workflows\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`name\` text not null, \`status\` text check (\`status\` in ('draft', 'published')) not null, \`allow_reentry\` integer not null, \`draft\` text not null, \`version_id\` integer null, \`entry_node_id\` text null, \`trigger_event\` text null, \`ends_runs_up_to\` integer null, \`created_at\` datetime not null, \`updated_at\` datetime not null, constraint \`workflows_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict);`);
    this.addSql(`create index \`workflows_of_location\` on \`workflows\` (\`location_id\`, \`id\`);`);
    this.addSql(`create index "workflows_by_trigger" on "workflows" ("location_id", "trigger_event", "id") where "trigger_event" is not null;`);
    this.addSql(`create index "workflows_ending_runs" on "workflows" ("id") where "ends_runs_up_to" is not null;`);

    this.addSql(`create table \`workflow_versions\` (\`id\` integer not null primary key autoincrement, \`workflow_id\` integer not null, \`number\` integer not null, \`definition\` text not null, \`created_at\` datetime not null, constraint \`workflow_versions_workflow_id_foreign\` foreign key (\`workflow_id\`) references \`workflows\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`workflow_versions_number\` on \`workflow_versions\` (\`workflow_id\`, \`number\`);`);

    this.addSql(`create table \`workflow_runs\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`workflow_id\` integer not null, \`version_id\` integer not null, \`contact_id\` integer not null, \`status\` text check (\`status\` in ('active', 'waiting', 'completed', 'failed', 'canceled')) not null, \`wait_reason\` text check (\`wait_reason\` in ('none', 'delay', 'until', 'reply', 'event')) not null default 'none', \`current_node_id\` text null, \`due_at\` datetime null, \`awaited_event\` text null, \`context\` text not null, \`ended_reason\` text check (\`ended_reason\` in ('finished', 'goal_met', 'replied', 'exited', 'removed', 'contact_deleted', 'workflow_unpublished', 'dnd', 'error')) null, \`error\` text null, \`attempts\` integer not null default 0, \`cause_run_id\` integer null, \`depth\` integer not null default 0, \`last_sent_at\` datetime null, \`turn\` integer not null default 0, \`leased_until\` datetime null, \`enrolled_at\` datetime not null, \`completed_at\` datetime null, constraint \`workflow_runs_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict, constraint \`workflow_runs_workflow_id_foreign\` foreign key (\`workflow_id\`) references \`workflows\` (\`id\`) on delete restrict, constraint \`workflow_runs_version_id_foreign\` foreign key (\`version_id\`) references \`workflow_versions\` (\`id\`) on delete restrict, constraint \`workflow_runs_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`workflow_runs_of_workflow\` on \`workflow_runs\` (\`workflow_id\`, \`id\`);`);
    this.addSql(`create index \`workflow_runs_by_status\` on \`workflow_runs\` (\`workflow_id\`, \`status\`, \`id\`);`);
    this.addSql(`create index \`workflow_runs_of_contact\` on \`workflow_runs\` (\`contact_id\`, \`workflow_id\`, \`id\`);`);
    this.addSql(`create index "workflow_runs_living_of_contact" on "workflow_runs" ("contact_id", "workflow_id", "id") where "status" in ('active', 'waiting');`);
    this.addSql(`create index "workflow_runs_living_at_node" on "workflow_runs" ("workflow_id", "version_id", "current_node_id") where "status" in ('active', 'waiting');`);
    this.addSql(`create index "workflow_runs_due" on "workflow_runs" ("due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "workflow_runs_by_awaited_event" on "workflow_runs" ("contact_id", "awaited_event", "id") where "awaited_event" is not null;`);
    this.addSql(`create index "workflow_runs_leased" on "workflow_runs" ("leased_until") where "leased_until" is not null;`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`workflows\`;`);
    this.addSql(`drop table if exists \`workflow_versions\`;`);
    this.addSql(`drop table if exists \`workflow_runs\`;`);
  }
}
