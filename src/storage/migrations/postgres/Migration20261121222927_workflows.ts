/** Workflows, their published versions, and their runs. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121222927_workflows extends Migration {
  override readonly name = "Migration20261121222927_workflows";

  override up(): void {
    this.addSql(`create table "workflows" ("id" bigserial primary key, "location_id" bigint not null, "name" text not null, "status" text not null, "allow_reentry" boolean not null, "draft" text not null, "version_id" bigint null, "entry_node_id" text null, "trigger_event" text null, "ends_runs_up_to" bigint null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);`);
    this.addSql(`create index "workflows_of_location" on "workflows" ("location_id", "id");`);
    this.addSql(`create index "workflows_by_trigger" on "workflows" ("location_id", "trigger_event", "id") where "trigger_event" is not null;`);
    this.addSql(`create index "workflows_ending_runs" on "workflows" ("id") where "ends_runs_up_to" is not null;`);

    this.addSql(`create table "workflow_versions" ("id" bigserial primary key, "workflow_id" bigint not null, "number" bigint not null, "definition" text not null, "created_at" timestamptz(3) not null);`);
    this.addSql(`alter table "workflow_versions" add constraint "workflow_versions_number" unique ("workflow_id", "number");`);

    this.addSql(`create table "workflow_runs" ("id" bigserial primary key, "location_id" bigint not null, "workflow_id" bigint not null, "version_id" bigint not null, "contact_id" bigint not null, "status" text not null, "wait_reason" text not null default 'none', "current_node_id" text null, "due_at" timestamptz(3) null, "awaited_event" text null, "context" text not null, "ended_reason" text null, "error" text null, "attempts" bigint not null default 0, "cause_run_id" bigint null, "depth" bigint not null default 0, "last_sent_at" timestamptz(3) null, "turn" bigint not null default 0, "leased_until" timestamptz(3) null, "enrolled_at" timestamptz(3) not null, "completed_at" timestamptz(3) null);`);
    this.addSql(`create index "workflow_runs_of_workflow" on "workflow_runs" ("workflow_id", "id");`);
    this.addSql(`create index "workflow_runs_by_status" on "workflow_runs" ("workflow_id", "status", "id");`);
    this.addSql(`create index "workflow_runs_of_contact" on "workflow_runs" ("contact_id", "workflow_id", "id");`);
    this.addSql(`create index "workflow_runs_living_of_contact" on "workflow_runs" ("contact_id", "workflow_id", "id") where "status" in ('active', 'waiting');`);
    this.addSql(`create index "workflow_runs_living_at_node" on "workflow_runs" ("workflow_id", "version_id", "current_node_id") where "status" in ('active', 'waiting');`);
    this.addSql(`create index "workflow_runs_due" on "workflow_runs" ("due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "workflow_runs_by_awaited_event" on "workflow_runs" ("contact_id", "awaited_event", "id") where "awaited_event" is not null;`);
    this.addSql(`create index "workflow_runs_leased" on "workflow_runs" ("leased_until") where "leased_until" is not null;`);

    this.addSql(`alter table "workflows" add constraint "workflows_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete restrict;`);
    this.addSql(`alter table "workflows" add constraint "workflows_status_check" check ("status" in ('draft', 'published'));`);

    this.addSql(`alter table "workflow_versions" add constraint "workflow_versions_workflow_id_foreign" foreign key ("workflow_id") references "workflows" ("id") on delete cascade;`);

    this.addSql(`alter table "workflow_runs" add constraint "workflow_runs_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete restrict;`);
    this.addSql(`alter table "workflow_runs" add constraint "workflow_runs_workflow_id_foreign" foreign key ("workflow_id") references "workflows" ("id") on delete restrict;`);
    this.addSql(`alter table "workflow_runs" add constraint "workflow_runs_version_id_foreign" foreign key ("version_id") references "workflow_versions" ("id") on delete restrict;`);
    this.addSql(`alter table "workflow_runs" add constraint "workflow_runs_contact_id_foreign" foreign key ("contact_id") references "contacts" ("id") on delete cascade;`);
    this.addSql(`alter table "workflow_runs" add constraint "workflow_runs_status_check" check ("status" in ('active', 'waiting', 'completed', 'failed', 'canceled'));`);
    this.addSql(`alter table "workflow_runs" add constraint "workflow_runs_wait_reason_check" check ("wait_reason" in ('none', 'delay', 'until', 'reply', 'event'));`);
    this.addSql(`alter table "workflow_runs" add constraint "workflow_runs_ended_reason_check" check ("ended_reason" in ('finished', 'goal_met', 'replied', 'exited', 'removed', 'contact_deleted', 'workflow_unpublished', 'dnd', 'error'));`);
  }

  override down(): void {
    this.addSql(`alter table "workflow_versions" drop constraint "workflow_versions_workflow_id_foreign";`);
    this.addSql(`alter table "workflow_runs" drop constraint "workflow_runs_workflow_id_foreign";`);
    this.addSql(`alter table "workflow_runs" drop constraint "workflow_runs_version_id_foreign";`);

    this.addSql(`drop table if exists "workflows" cascade;`);
    this.addSql(`drop table if exists "workflow_versions" cascade;`);
    this.addSql(`drop table if exists "workflow_runs" cascade;`);
  }
}
