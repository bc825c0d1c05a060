/** The first schema: workspaces, locations, people, API keys, events, contacts with their tags and notes. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121050201_initial extends Migration {
  override readonly name = "Migration20261121050201_initial";

  override up(): void {
    this.addSql(`create table \`events\` (\`id\` integer not null primary key autoincrement, \`workspace_id\` integer not null, \`location_id\` integer null, \`event\` text not null, \`contact_id\` integer null, \`actor_type\` text check (\`actor_type\` in ('user', 'api_key', 'app', 'workflow', 'contact', 'system')) not null, \`actor_id\` integer null, \`actor_name\` text null, \`changes\` text null, \`data\` text null, \`position\` integer null, \`created_at\` datetime not null);`);
    this.addSql(`create index \`events_of_contact\` on \`events\` (\`contact_id\`, \`id\`);`);
    this.addSql(`create index "events_unstamped" on "events" ("id") where "position" is null;`);
    this.addSql(`create index "events_with_data" on "events" ("created_at", "id") where "data" is not null;`);
    this.addSql(`create unique index \`events_position\` on \`events\` (\`position\`);`);

    this.addSql(`create table \`event_log\` (\`id\` integer not null primary key autoincrement, \`last_position\` integer not null);`);
    // The log's mark is one row that is only ever updated.
    this.addSql(`insert into "event_log" ("id", "last_position") values (1, 0)`);

    this.addSql(`create table \`idempotency_keys\` (\`id\` integer not null primary key autoincrement, \`holder\` text not null, \`operation\` text not null, \`key\` text not null, \`body_hash\` text not null, \`status\` integer null, \`body\` text null, \`created_at\` datetime not null);`);
    this.addSql(`create index \`idempotency_keys_age\` on \`idempotency_keys\` (\`created_at\`);`);
    this.addSql(`create unique index \`idempotency_keys_once\` on \`idempotency_keys\` (\`holder\`, \`operation\`, \`key\`);`);

    this.addSql(`create table \`installation\` (\`id\` integer not null primary key autoincrement, \`secret_check\` text not null, \`worker_seen_at\` datetime null, \`created_at\` datetime not null);`);

    this.addSql(`create table \`users\` (\`id\` integer not null primary key autoincrement, \`name\` text not null, \`email\` text not null, \`email_key\` text not null, \`created_at\` datetime not null);`);
    this.addSql(`create unique index \`users_email_key\` on \`users\` (\`email_key\`);`);

    this.addSql(`create table \`workspaces\` (\`id\` integer not null primary key autoincrement, \`name\` text not null, \`created_at\` datetime not null);`);

    this.addSql(`create table \`tags\` (\`id\` integer not null primary key autoincrement, \`workspace_id\` integer not null, \`name\` text not null, \`name_key\` text not null, \`color\` text null, \`created_at\` datetime not null, constraint \`tags_workspace_id_foreign\` foreign key (\`workspace_id\`) references \`workspaces\` (\`id\`) on delete restrict);`);
    this.addSql(`create unique index \`tags_name\` on \`tags\` (\`workspace_id\`, \`name_key\`);`);

    this.addSql(`create table \`memberships\` (\`id\` integer not null primary key autoincrement, \`workspace_id\` integer not null, \`user_id\` integer not null, \`role\` text check (\`role\` in ('owner', 'manager', 'member')) not null, \`all_locations\` integer not null, \`created_at\` datetime not null, constraint \`memberships_workspace_id_foreign\` foreign key (\`workspace_id\`) references \`workspaces\` (\`id\`) on delete restrict, constraint \`memberships_user_id_foreign\` foreign key (\`user_id\`) references \`users\` (\`id\`) on delete restrict);`);
    this.addSql(`create index \`memberships_of_user\` on \`memberships\` (\`user_id\`);`);
    this.addSql(`create unique index \`memberships_of_workspace\` on \`memberships\` (\`workspace_id\`, \`user_id\`);`);

    this.addSql(`create table \`locations\` (\`id\` integer not null primary key autoincrement, \`workspace_id\` integer not null, \`name\` text not null, \`address1\` text not null default '', \`city\` text not null default '', \`state\` text not null default '', \`zip\` text not null default '', \`phone_public\` text not null default '', \`timezone\` text not null, \`website\` text not null default '', \`country\` text not null, \`created_at\` datetime not null, \`updated_at\` datetime not null, constraint \`locations_workspace_id_foreign\` foreign key (\`workspace_id\`) references \`workspaces\` (\`id\`) on delete restrict);`);
    this.addSql(`create index \`locations_of_workspace\` on \`locations\` (\`workspace_id\`, \`id\`);`);

    this.addSql(`create table \`membership_locations\` (\`id\` integer not null primary key autoincrement, \`membership_id\` integer not null, \`location_id\` integer not null, constraint \`membership_locations_membership_id_foreign\` foreign key (\`membership_id\`) references \`memberships\` (\`id\`) on delete cascade, constraint \`membership_locations_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict);`);
    this.addSql(`create index \`membership_locations_of_location\` on \`membership_locations\` (\`location_id\`);`);
    this.addSql(`create unique index \`membership_locations_once\` on \`membership_locations\` (\`membership_id\`, \`location_id\`);`);

    this.addSql(`create table \`contact_counts\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`delta\` integer not null, constraint \`contact_counts_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`contact_counts_of_location\` on \`contact_counts\` (\`location_id\`, \`delta\`);`);

    this.addSql(`create table \`contacts\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`name\` text not null, \`name_key\` text not null, \`first_name\` text not null, \`last_name\` text not null, \`email\` text null, \`email_key\` text null, \`phone_display\` text null, \`phone_key\` text null, \`company\` text null, \`source\` text null, \`interest\` text null, \`address1\` text null, \`city\` text null, \`state\` text null, \`zip\` text null, \`timezone\` text null, \`dnd\` integer not null, \`owner_id\` integer null, \`external_ref\` text null, \`last_activity_at\` datetime not null, \`created_at\` datetime not null, \`updated_at\` datetime not null, \`deleted_at\` datetime null, constraint \`contacts_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict, constraint \`contacts_owner_id_foreign\` foreign key (\`owner_id\`) references \`users\` (\`id\`) on delete set null);`);
    this.addSql(`create index \`contacts_owner\` on \`contacts\` (\`owner_id\`);`);
    this.addSql(`create unique index \`contacts_external_ref\` on \`contacts\` (\`external_ref\`);`);
    this.addSql(`create index "contacts_feed" on "contacts" ("location_id", "last_activity_at" desc, "id" desc, "name_key") where "deleted_at" is null;`);
    this.addSql(`create index "contacts_by_email" on "contacts" ("location_id", "email_key", "id") where "deleted_at" is null;`);
    this.addSql(`create index "contacts_by_phone" on "contacts" ("location_id", "phone_key", "id") where "deleted_at" is null;`);
    this.addSql(`create index "contacts_by_owner" on "contacts" ("location_id", "owner_id", "last_activity_at" desc, "id" desc) where "deleted_at" is null;`);
    this.addSql(`create index "contacts_by_update" on "contacts" ("location_id", "updated_at", "id") where "deleted_at" is null;`);

    this.addSql(`create table \`notes\` (\`id\` integer not null primary key autoincrement, \`contact_id\` integer not null, \`body\` text not null, \`pinned\` integer not null, \`user_id\` integer null, \`created_at\` datetime not null, \`updated_at\` datetime not null, constraint \`notes_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete cascade, constraint \`notes_user_id_foreign\` foreign key (\`user_id\`) references \`users\` (\`id\`) on delete set null);`);
    this.addSql(`create index \`notes_user\` on \`notes\` (\`user_id\`);`);
    this.addSql(`create index \`notes_of_contact\` on \`notes\` (\`contact_id\`, \`id\`);`);

    this.addSql(`create table \`contact_tags\` (\`id\` integer not null primary key autoincrement, \`contact_id\` integer not null, \`tag_id\` integer not null, \`created_at\` datetime not null, constraint \`contact_tags_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete cascade, constraint \`contact_tags_tag_id_foreign\` foreign key (\`tag_id\`) references \`tags\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`contact_tags_of_tag\` on \`contact_tags\` (\`tag_id\`, \`contact_id\`);`);
    this.addSql(`create unique index \`contact_tags_once\` on \`contact_tags\` (\`contact_id\`, \`tag_id\`);`);

    this.addSql(`create table \`api_keys\` (\`id\` integer not null primary key autoincrement, \`workspace_id\` integer not null, \`name\` text not null, \`hash\` text not null, \`last_four\` text not null, \`scopes\` text not null, \`location_ids\` text null, \`expires_at\` datetime null, \`last_used_at\` datetime null, \`revoked_at\` datetime null, \`created_at\` datetime not null, constraint \`api_keys_workspace_id_foreign\` foreign key (\`workspace_id\`) references \`workspaces\` (\`id\`) on delete restrict);`);
    this.addSql(`create unique index \`api_keys_hash\` on \`api_keys\` (\`hash\`);`);
    this.addSql(`create index \`api_keys_of_workspace\` on \`api_keys\` (\`workspace_id\`, \`id\`);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`events\`;`);
    this.addSql(`drop table if exists \`event_log\`;`);
    this.addSql(`drop table if exists \`idempotency_keys\`;`);
    this.addSql(`drop table if exists \`installation\`;`);
    this.addSql(`drop table if exists \`users\`;`);
    this.addSql(`drop table if exists \`workspaces\`;`);
    this.addSql(`drop table if exists \`tags\`;`);
    this.addSql(`drop table if exists \`memberships\`;`);
    this.addSql(`drop table if exists \`locations\`;`);
    this.addSql(`drop table if exists \`membership_locations\`;`);
    this.addSql(`drop table if exists \`contact_counts\`;`);
    this.addSql(`drop table if exists \`contacts\`;`);
    this.addSql(`drop table if exists \`notes\`;`);
    this.addSql(`drop table if exists \`contact_tags\`;`);
    this.addSql(`drop table if exists \`api_keys\`;`);
  }
}
