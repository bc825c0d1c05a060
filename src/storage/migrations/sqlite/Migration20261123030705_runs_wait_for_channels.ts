/** Runs wait for channels: the wait reason `channel`, and workflow_runs.awaited_channel_id. Undone, such runs are due at once. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123030705_runs_wait_for_channels extends Migration {
  override readonly name = "Migration20261123030705_runs_wait_for_channels";

  override up(): void {
    this.addSql(`pragma foreign_keys = off;`);
    this.addSql(`create table \`workflow_runs__temp_alter\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`workflow_id\` integer not null, \`version_id\` integer not null, \`contact_id\` integer not null, \`status\` text check (\`status\` in ('active', 'waiting', 'completed', 'failed', 'canceled')) not null, \`wait_reason\` text check (\`wait_reason\` in ('none', 'delay', 'until', 'reply', 'event', 'channel')) not null default 'none', \`current_node_id\` text null, \`due_at\` datetime null, \`awaited_event\` text null, \`awaited_channel_id\` integer null, \`waiting_since\` datetime null, \`context\` text not null, \`trigger_event\` text null, \`ended_reason\` text check (\`ended_reason\` in ('finished', 'goal_met', 'replied', 'exited', 'removed', 'contact_deleted', 'workflow_unpublished', 'dnd', 'error')) null, \`error\` text null, \`attempts\` integer not null default 0, \`cause_run_id\` integer null, \`depth\` integer not null default 0, \`origin_run_id\` integer null, \`last_sent_at\` datetime null, \`turn\` integer not null default 0, \`step_count\` integer not null default 0, \`enrolled_at\` datetime not null, \`completed_at\` datetime null, constraint \`workflow_runs_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict, constraint \`workflow_runs_workflow_id_foreign\` foreign key (\`workflow_id\`) references \`workflows\` (\`id\`) on delete restrict, constraint \`workflow_runs_version_id_foreign\` foreign key (\`version_id\`) references \`workflow_versions\` (\`id\`) on delete restrict, constraint \`workflow_runs_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete cascade);`);
    this.addSql(`insert into \`workflow_runs__temp_alter\` select \`id\`, \`location_id\`, \`workflow_id\`, \`version_id\`, \`contact_id\`, \`status\`, \`wait_reason\`, \`current_node_id\`, \`due_at\`, \`awaited_event\`, null as \`awaited_channel_id\`, \`waiting_since\`, \`context\`, \`trigger_event\`, \`ended_reason\`, \`error\`, \`attempts\`, \`cause_run_id\`, \`depth\`, \`origin_run_id\`, \`last_sent_at\`, \`turn\`, \`step_count\`, \`enrolled_at\`, \`completed_at\` from \`workflow_runs\`;`);
    this.addSql(`drop table \`workflow_runs\`;`);
    this.addSql(`alter table \`workflow_runs__temp_alter\` rename to \`workflow_runs\`;`);
    this.addSql(`create index \`workflow_runs_of_workflow\` on \`workflow_runs\` (\`workflow_id\`, \`id\`);`);
    this.addSql(`create index \`workflow_runs_by_status\` on \`workflow_runs\` (\`workflow_id\`, \`status\`, \`id\`);`);
    this.addSql(`create index \`workflow_runs_of_contact\` on \`workflow_runs\` (\`contact_id\`, \`workflow_id\`, \`id\`);`);
    this.addSql(`create index "workflow_runs_living_of_contact" on "workflow_runs" ("contact_id", "workflow_id", "id") where "status" in ('active', 'waiting');`);
    this.addSql(`create index "workflow_runs_due" on "workflow_runs" ("due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "workflow_runs_due_of_location" on "workflow_runs" ("location_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "workflow_runs_by_awaited_event" on "workflow_runs" ("contact_id", "awaited_event", "id") where "awaited_event" is not null;`);
    this.addSql(`create index "workflow_runs_by_awaited_channel" on "workflow_runs" ("awaited_channel_id", "id") where "awaited_channel_id" is not null and "due_at" is null;`);
    this.addSql(`create index "workflow_runs_of_origin" on "workflow_runs" ("origin_run_id") where "origin_run_id" is not null;`);
    this.addSql(`pragma foreign_keys = on;`);
  }

  override down(): void {
    this.addSql(
      `update "workflow_runs" set "status" = 'active', "wait_reason" = 'none', "waiting_since" = null, "due_at" = "enrolled_at" where "wait_reason" = 'channel';`,
    );
    this.addSql(`pragma foreign_keys = off;`);
    this.addSql(`create table \`workflow_runs__temp_alter\` (\`attempts\` integer not null default 0, \`awaited_event\` text null, \`cause_run_id\` integer null, \`completed_at\` datetime null, \`contact_id\` integer not null, \`context\` text not null, \`current_node_id\` text null, \`depth\` integer not null default 0, \`due_at\` datetime null, \`ended_reason\` text check (\`ended_reason\` in ('finished', 'goal_met', 'replied', 'exited', 'removed', 'contact_deleted', 'workflow_unpublished', 'dnd', 'error')) null, \`enrolled_at\` datetime not null, \`error\` text null, \`id\` integer not null primary key autoincrement, \`last_sent_at\` datetime null, \`location_id\` integer not null, \`origin_run_id\` integer null, \`status\` text check (\`status\` in ('active', 'waiting', 'completed', 'failed', 'canceled')) not null, \`step_count\` integer not null default 0, \`trigger_event\` text null, \`turn\` integer not null default 0, \`version_id\` integer not null, \`wait_reason\` text check (\`wait_reason\` in ('none', 'delay', 'until', 'reply', 'event')) not null default 'none', \`waiting_since\` datetime null, \`workflow_id\` integer not null, constraint \`workflow_runs_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete cascade, constraint \`workflow_runs_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict, constraint \`workflow_runs_version_id_foreign\` foreign key (\`version_id\`) references \`workflow_versions\` (\`id\`) on delete restrict, constraint \`workflow_runs_workflow_id_foreign\` foreign key (\`workflow_id\`) references \`workflows\` (\`id\`) on delete restrict);`);
    this.addSql(`insert into \`workflow_runs__temp_alter\` select \`attempts\`, \`awaited_event\`, \`cause_run_id\`, \`completed_at\`, \`contact_id\`, \`context\`, \`current_node_id\`, \`depth\`, \`due_at\`, \`ended_reason\`, \`enrolled_at\`, \`error\`, \`id\`, \`last_sent_at\`, \`location_id\`, \`origin_run_id\`, \`status\`, \`step_count\`, \`trigger_event\`, \`turn\`, \`version_id\`, \`wait_reason\`, \`waiting_since\`, \`workflow_id\` from \`workflow_runs\`;`);
    this.addSql(`drop table \`workflow_runs\`;`);
    this.addSql(`alter table \`workflow_runs__temp_alter\` rename to \`workflow_runs\`;`);
    this.addSql(`create index "workflow_runs_by_awaited_event" on "workflow_runs" ("contact_id", "awaited_event", "id") where "awaited_event" is not null;`);
    this.addSql(`create index \`workflow_runs_by_status\` on \`workflow_runs\` (\`workflow_id\`, \`status\`, \`id\`);`);
    this.addSql(`create index "workflow_runs_due" on "workflow_runs" ("due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "workflow_runs_due_of_location" on "workflow_runs" ("location_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "workflow_runs_living_of_contact" on "workflow_runs" ("contact_id", "workflow_id", "id") where "status" in ('active', 'waiting');`);
    this.addSql(`create index \`workflow_runs_of_contact\` on \`workflow_runs\` (\`contact_id\`, \`workflow_id\`, \`id\`);`);
    this.addSql(`create index "workflow_runs_of_origin" on "workflow_runs" ("origin_run_id") where "origin_run_id" is not null;`);
    this.addSql(`create index \`workflow_runs_of_workflow\` on \`workflow_runs\` (\`workflow_id\`, \`id\`);`);
    this.addSql(`pragma foreign_keys = on;`);
  }
}
