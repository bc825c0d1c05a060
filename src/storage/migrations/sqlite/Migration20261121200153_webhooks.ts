/** Webhooks, deliveries and attempts; their follower of the event log starts here. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121200153_webhooks extends Migration {
  override readonly name = "Migration20261121200153_webhooks";

  override up(): void {
    this.addSql(`create table \`hooks\` (\`id\` integer not null primary key autoincrement, \`workspace_id\` integer not null, \`location_id\` integer null, \`location_ids\` text null, \`scopes\` text not null, \`app_id\` integer null, \`events\` text null, \`target_url\` text not null, \`secret\` text not null, \`old_secret\` text null, \`old_secret_until\` datetime null, \`status\` text check (\`status\` in ('active', 'paused', 'disabled')) not null, \`failing_since\` datetime null, \`after_event_id\` integer not null, \`created_at\` datetime not null, \`removed_at\` datetime null, constraint \`hooks_workspace_id_foreign\` foreign key (\`workspace_id\`) references \`workspaces\` (\`id\`) on delete restrict, constraint \`hooks_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict);`);
    this.addSql(`create index \`hooks_of_workspace\` on \`hooks\` (\`workspace_id\`, \`id\`);`);

    this.addSql(`create table \`hook_queues\` (\`id\` integer not null primary key autoincrement, \`hook_id\` integer not null, \`due_at\` datetime null, \`served_at\` datetime not null, constraint \`hook_queues_hook_id_foreign\` foreign key (\`hook_id\`) references \`hooks\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`hook_queues_hook\` on \`hook_queues\` (\`hook_id\`);`);
    this.addSql(`create index "hook_queues_due" on "hook_queues" ("due_at") where "due_at" is not null;`);

    this.addSql(`create table \`deliveries\` (\`id\` integer not null primary key autoincrement, \`hook_id\` integer not null, \`event_id\` integer not null, \`state\` text check (\`state\` in ('pending', 'delivering', 'retrying', 'delivered', 'failed', 'canceled')) not null, \`attempt\` integer not null default 0, \`round_start\` integer not null default 0, \`attempt_open\` integer not null default false, \`crashed\` integer not null default false, \`fence\` integer not null default 0, \`due_at\` datetime null, \`leased_until\` datetime null, \`created_at\` datetime not null, constraint \`deliveries_hook_id_foreign\` foreign key (\`hook_id\`) references \`hooks\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`deliveries_of_hook\` on \`deliveries\` (\`hook_id\`, \`id\`);`);
    this.addSql(`create index "deliveries_due" on "deliveries" ("hook_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "deliveries_leased" on "deliveries" ("leased_until") where "leased_until" is not null;`);
    this.addSql(`create index "deliveries_failed" on "deliveries" ("hook_id", "id") where "state" = 'failed';`);

    this.addSql(`create table \`delivery_attempts\` (\`id\` integer not null primary key autoincrement, \`delivery_id\` integer not null, \`number\` integer not null, \`at\` datetime not null, \`duration_ms\` integer null, \`status\` integer null, \`error\` text check (\`error\` in ('timeout', 'dns', 'tls', 'refused', 'redirect', 'forbidden_address', 'http_4xx', 'http_5xx', 'crashed')) null, \`body\` text null, constraint \`delivery_attempts_delivery_id_foreign\` foreign key (\`delivery_id\`) references \`deliveries\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`delivery_attempts_number\` on \`delivery_attempts\` (\`delivery_id\`, \`number\`);`);
    // Nothing that happened before is news, stamped or not.
    this.addSql(`insert into event_marks (name, position) select 'webhooks', last_position from event_log where id = 1;`);
  }

  override down(): void {
    this.addSql(`delete from event_marks where name = 'webhooks';`);
    this.addSql(`drop table if exists \`hooks\`;`);
    this.addSql(`drop table if exists \`hook_queues\`;`);
    this.addSql(`drop table if exists \`deliveries\`;`);
    this.addSql(`drop table if exists \`delivery_attempts\`;`);
  }
}
