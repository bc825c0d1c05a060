/** The first schema: workspaces, locations, people, API keys, events, contacts with their tags and notes. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121050201_initial extends Migration {
  override readonly name = "Migration20261121050201_initial";

  override up(): void {
    this.addSql(`create table "events" ("id" bigserial primary key, "workspace_id" bigint not null, "location_id" bigint null, "event" text not null, "contact_id" bigint null, "actor_type" text not null, "actor_id" bigint null, "actor_name" text null, "changes" text null, "data" text null, "position" bigint null, "created_at" timestamptz(3) not null);`);
    this.addSql(`create index "events_of_contact" on "events" ("contact_id", "id");`);
    this.addSql(`create index "events_unstamped" on "events" ("id") where "position" is null;`);
    this.addSql(`create index "events_with_data" on "events" ("created_at", "id") where "data" is not null;`);
    this.addSql(`alter table "events" add constraint "events_position" unique ("position");`);

    this.addSql(`create table "event_log" ("id" bigserial primary key, "last_position" bigint not null);`);
    // The log's mark is one row that is only ever updated.
    this.addSql(`insert into "event_log" ("id", "last_position") values (1, 0)`);

    this.addSql(`create table "idempotency_keys" ("id" bigserial primary key, "holder" text not null, "operation" text not null, "key" text not null, "body_hash" text not null, "status" bigint null, "body" text null, "created_at" timestamptz(3) not null);`);
    this.addSql(`create index "idempotency_keys_age" on "idempotency_keys" ("created_at");`);
    this.addSql(`alter table "idempotency_keys" add constraint "idempotency_keys_once" unique ("holder", "operation", "key");`);

    this.addSql(`create table "installation" ("id" bigserial primary key, "secret_check" text not null, "worker_seen_at" timestamptz(3) null, "created_at" timestamptz(3) not null);`);

    this.addSql(`create table "users" ("id" bigserial primary key, "name" text not null, "email" text not null, "email_key" text not null, "created_at" timestamptz(3) not null);`);
    this.addSql(`alter table "users" add constraint "users_email_key" unique ("email_key");`);

    this.addSql(`create table "workspaces" ("id" bigserial primary key, "name" text not null, "created_at" timestamptz(3) not null);`);

    this.addSql(`create table "tags" ("id" bigserial primary key, "workspace_id" bigint not null, "name" text not null, "name_key" text not null, "color" text null, "created_at" timestamptz(3) not null);`);
    this.addSql(`alter table "tags" add constraint "tags_name" unique ("workspace_id", "name_key");`);

    this.addSql(`create table "memberships" ("id" bigserial primary key, "workspace_id" bigint not null, "user_id" bigint not null, "role" text not null, "all_locations" boolean not null, "created_at" timestamptz(3) not null);`);
    this.addSql(`create index "memberships_of_user" on "memberships" ("user_id");`);
    this.addSql(`alter table "memberships" add constraint "memberships_of_workspace" unique ("workspace_id", "user_id");`);

    this.addSql(`create table "locations" ("id" bigserial primary key, "workspace_id" bigint not null, "name" text not null, "address1" text not null default '', "city" text not null default '', "state" text not null default '', "zip" text not null default '', "phone_public" text not null default '', "timezone" text not null, "website" text not null default '', "country" text not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);`);
    this.addSql(`create index "locations_of_workspace" on "locations" ("workspace_id", "id");`);

    this.addSql(`create table "membership_locations" ("id" bigserial primary key, "membership_id" bigint not null, "location_id" bigint not null);`);
    this.addSql(`create index "membership_locations_of_location" on "membership_locations" ("location_id");`);
    this.addSql(`alter table "membership_locations" add constraint "membership_locations_once" unique ("membership_id", "location_id");`);

    this.addSql(`create table "contact_counts" ("id" bigserial primary key, "location_id" bigint not null, "delta" bigint not null);`);
    this.addSql(`create index "contact_counts_of_location" on "contact_counts" ("location_id", "delta");`);

    this.addSql(`create table "contacts" ("id" bigserial primary key, "location_id" bigint not null, "name" text not null, "name_key" text not null, "first_name" text not null, "last_name" text not null, "email" text null, "email_key" text null, "phone_display" text null, "phone_key" text null, "company" text null, "source" text null, "interest" text null, "address1" text null, "city" text null, "state" text null, "zip" text null, "timezone" text null, "dnd" boolean not null, "owner_id" bigint null, "external_ref" text null, "last_activity_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "deleted_at" timestamptz(3) null);`);
    this.addSql(`create index "contacts_owner" on "contacts" ("owner_id");`);
    this.addSql(`alter table "contacts" add constraint "contacts_external_ref" unique ("external_ref");`);
    this.addSql(`create index "contacts_feed" on "contacts" ("location_id", "last_activity_at" desc, "id" desc, "name_key") where "deleted_at" is null;`);
    this.addSql(`create index "contacts_by_email" on "contacts" ("location_id", "email_key", "id") where "deleted_at" is null;`);
    this.addSql(`create index "contacts_by_phone" on "contacts" ("location_id", "phone_key", "id") where "deleted_at" is null;`);
    this.addSql(`create index "contacts_by_owner" on "contacts" ("location_id", "owner_id", "last_activity_at" desc, "id" desc) where "deleted_at" is null;`);
    this.addSql(`create index "contacts_by_update" on "contacts" ("location_id", "updated_at", "id") where "deleted_at" is null;`);

    this.addSql(`create table "notes" ("id" bigserial primary key, "contact_id" bigint not null, "body" text not null, "pinned" boolean not null, "user_id" bigint null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null);`);
    this.addSql(`create index "notes_user" on "notes" ("user_id");`);
    this.addSql(`create index "notes_of_contact" on "notes" ("contact_id", "id");`);

    this.addSql(`create table "contact_tags" ("id" bigserial primary key, "contact_id" bigint not null, "tag_id" bigint not null, "created_at" timestamptz(3) not null);`);
    this.addSql(`create index "contact_tags_of_tag" on "contact_tags" ("tag_id", "contact_id");`);
    this.addSql(`alter table "contact_tags" add constraint "contact_tags_once" unique ("contact_id", "tag_id");`);

    this.addSql(`create table "api_keys" ("id" bigserial primary key, "workspace_id" bigint not null, "name" text not null, "hash" text not null, "last_four" text not null, "scopes" text not null, "location_ids" text null, "expires_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "created_at" timestamptz(3) not null);`);
    this.addSql(`alter table "api_keys" add constraint "api_keys_hash" unique ("hash");`);
    this.addSql(`create index "api_keys_of_workspace" on "api_keys" ("workspace_id", "id");`);

    this.addSql(`alter table "events" add constraint "events_actor_type_check" check ("actor_type" in ('user', 'api_key', 'app', 'workflow', 'contact', 'system'));`);

    this.addSql(`alter table "tags" add constraint "tags_workspace_id_foreign" foreign key ("workspace_id") references "workspaces" ("id") on delete restrict;`);

    this.addSql(`alter table "memberships" add constraint "memberships_workspace_id_foreign" foreign key ("workspace_id") references "workspaces" ("id") on delete restrict;`);
    this.addSql(`alter table "memberships" add constraint "memberships_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete restrict;`);
    this.addSql(`alter table "memberships" add constraint "memberships_role_check" check ("role" in ('owner', 'manager', 'member'));`);

    this.addSql(`alter table "locations" add constraint "locations_workspace_id_foreign" foreign key ("workspace_id") references "workspaces" ("id") on delete restrict;`);

    this.addSql(`alter table "membership_locations" add constraint "membership_locations_membership_id_foreign" foreign key ("membership_id") references "memberships" ("id") on delete cascade;`);
    this.addSql(`alter table "membership_locations" add constraint "membership_locations_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete restrict;`);

    this.addSql(`alter table "contact_counts" add constraint "contact_counts_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete cascade;`);

    this.addSql(`alter table "contacts" add constraint "contacts_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete restrict;`);
    this.addSql(`alter table "contacts" add constraint "contacts_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete set null;`);

    this.addSql(`alter table "notes" add constraint "notes_contact_id_foreign" foreign key ("contact_id") references "contacts" ("id") on delete cascade;`);
    this.addSql(`alter table "notes" add constraint "notes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null;`);

    this.addSql(`alter table "contact_tags" add constraint "contact_tags_contact_id_foreign" foreign key ("contact_id") references "contacts" ("id") on delete cascade;`);
    this.addSql(`alter table "contact_tags" add constraint "contact_tags_tag_id_foreign" foreign key ("tag_id") references "tags" ("id") on delete cascade;`);

    this.addSql(`alter table "api_keys" add constraint "api_keys_workspace_id_foreign" foreign key ("workspace_id") references "workspaces" ("id") on delete restrict;`);
  }

  override down(): void {
    this.addSql(`alter table "memberships" drop constraint "memberships_user_id_foreign";`);
    this.addSql(`alter table "contacts" drop constraint "contacts_owner_id_foreign";`);
    this.addSql(`alter table "notes" drop constraint "notes_user_id_foreign";`);
    this.addSql(`alter table "tags" drop constraint "tags_workspace_id_foreign";`);
    this.addSql(`alter table "memberships" drop constraint "memberships_workspace_id_foreign";`);
    this.addSql(`alter table "locations" drop constraint "locations_workspace_id_foreign";`);
    this.addSql(`alter table "api_keys" drop constraint "api_keys_workspace_id_foreign";`);
    this.addSql(`alter table "contact_tags" drop constraint "contact_tags_tag_id_foreign";`);
    this.addSql(`alter table "membership_locations" drop constraint "membership_locations_membership_id_foreign";`);
    this.addSql(`alter table "membership_locations" drop constraint "membership_locations_location_id_foreign";`);
    this.addSql(`alter table "contact_counts" drop constraint "contact_counts_location_id_foreign";`);
    this.addSql(`alter table "contacts" drop constraint "contacts_location_id_foreign";`);
    this.addSql(`alter table "notes" drop constraint "notes_contact_id_foreign";`);
    this.addSql(`alter table "contact_tags" drop constraint "contact_tags_contact_id_foreign";`);

    this.addSql(`drop table if exists "events" cascade;`);
    this.addSql(`drop table if exists "event_log" cascade;`);
    this.addSql(`drop table if exists "idempotency_keys" cascade;`);
    this.addSql(`drop table if exists "installation" cascade;`);
    this.addSql(`drop table if exists "users" cascade;`);
    this.addSql(`drop table if exists "workspaces" cascade;`);
    this.addSql(`drop table if exists "tags" cascade;`);
    this.addSql(`drop table if exists "memberships" cascade;`);
    this.addSql(`drop table if exists "locations" cascade;`);
    this.addSql(`drop table if exists "membership_locations" cascade;`);
    this.addSql(`drop table if exists "contact_counts" cascade;`);
    this.addSql(`drop table if exists "contacts" cascade;`);
    this.addSql(`drop table if exists "notes" cascade;`);
    this.addSql(`drop table if exists "contact_tags" cascade;`);
    this.addSql(`drop table if exists "api_keys" cascade;`);
  }
}
