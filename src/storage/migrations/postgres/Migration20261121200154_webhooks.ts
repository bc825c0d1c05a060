/** Webhooks, deliveries and attempts; their follower of the event log starts here. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121200154_webhooks extends Migration {
  override readonly name = "Migration20261121200154_webhooks";

  override up(): void {
    this.addSql(`create table "hooks" ("id" bigserial primary key, "workspace_id" bigint not null, "location_id" bigint null, "location_ids" text null, "scopes" text not null, "app_id" bigint null, "events" text null, "target_url" text not null, "secret" text not null, "old_secret" text null, "old_secret_until" timestamptz(3) null, "status" text not null, "failing_since" timestamptz(3) null, "after_event_id" bigint not null, "created_at" timestamptz(3) not null, "removed_at" timestamptz(3) null);`);
    this.addSql(`create index "hooks_of_workspace" on "hooks" ("workspace_id", "id");`);

    this.addSql(`create table "hook_queues" ("id" bigserial primary key, "hook_id" bigint not null, "due_at" timestamptz(3) null, "served_at" timestamptz(3) not null);`);
    this.addSql(`alter table "hook_queues" add constraint "hook_queues_hook" unique ("hook_id");`);
    this.addSql(`create index "hook_queues_due" on "hook_queues" ("due_at") where "due_at" is not null;`);

    this.addSql(`create table "deliveries" ("id" bigserial primary key, "hook_id" bigint not null, "event_id" bigint not null, "state" text not null, "attempt" bigint not null default 0, "round_start" bigint not null default 0, "attempt_open" boolean not null default false, "crashed" boolean not null default false, "fence" bigint not null default 0, "due_at" timestamptz(3) null, "leased_until" timestamptz(3) null, "created_at" timestamptz(3) not null);`);
    this.addSql(`create index "deliveries_of_hook" on "deliveries" ("hook_id", "id");`);
    this.addSql(`create index "deliveries_due" on "deliveries" ("hook_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "deliveries_leased" on "deliveries" ("leased_until") where "leased_until" is not null;`);
    this.addSql(`create index "deliveries_failed" on "deliveries" ("hook_id", "id") where "state" = 'failed';`);

    this.addSql(`create table "delivery_attempts" ("id" bigserial primary key, "delivery_id" bigint not null, "number" bigint not null, "at" timestamptz(3) not null, "duration_ms" bigint null, "status" bigint null, "error" text null, "body" text null);`);
    this.addSql(`alter table "delivery_attempts" add constraint "delivery_attempts_number" unique ("delivery_id", "number");`);

    this.addSql(`alter table "hooks" add constraint "hooks_workspace_id_foreign" foreign key ("workspace_id") references "workspaces" ("id") on delete restrict;`);
    this.addSql(`alter table "hooks" add constraint "hooks_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete restrict;`);
    this.addSql(`alter table "hooks" add constraint "hooks_status_check" check ("status" in ('active', 'paused', 'disabled'));`);

    this.addSql(`alter table "hook_queues" add constraint "hook_queues_hook_id_foreign" foreign key ("hook_id") references "hooks" ("id") on delete cascade;`);

    this.addSql(`alter table "deliveries" add constraint "deliveries_hook_id_foreign" foreign key ("hook_id") references "hooks" ("id") on delete cascade;`);
    this.addSql(`alter table "deliveries" add constraint "deliveries_state_check" check ("state" in ('pending', 'delivering', 'retrying', 'delivered', 'failed', 'canceled'));`);

    this.addSql(`alter table "delivery_attempts" add constraint "delivery_attempts_delivery_id_foreign" foreign key ("delivery_id") references "deliveries" ("id") on delete cascade;`);
    this.addSql(`alter table "delivery_attempts" add constraint "delivery_attempts_error_check" check ("error" in ('timeout', 'dns', 'tls', 'refused', 'redirect', 'forbidden_address', 'http_4xx', 'http_5xx', 'crashed'));`);
    // Nothing that happened before is news, stamped or not.
    this.addSql(`insert into event_marks (name, position) select 'webhooks', last_position from event_log where id = 1;`);
  }

  override down(): void {
    this.addSql(`delete from event_marks where name = 'webhooks';`);
    this.addSql(`alter table "hook_queues" drop constraint "hook_queues_hook_id_foreign";`);
    this.addSql(`alter table "deliveries" drop constraint "deliveries_hook_id_foreign";`);
    this.addSql(`alter table "delivery_attempts" drop constraint "delivery_attempts_delivery_id_foreign";`);

    this.addSql(`drop table if exists "hooks" cascade;`);
    this.addSql(`drop table if exists "hook_queues" cascade;`);
    this.addSql(`drop table if exists "deliveries" cascade;`);
    this.addSql(`drop table if exists "delivery_attempts" cascade;`);
  }
}
