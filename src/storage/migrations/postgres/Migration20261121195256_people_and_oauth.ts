/** Passwords, sessions and one-time links; requests, grants, codes, tokens and installs of OAuth. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121195256_people_and_oauth extends Migration {
  override readonly name = "Migration20261121195256_people_and_oauth";

  override up(): void {
    this.addSql(`create table "sessions" ("id" bigserial primary key, "user_id" bigint not null, "hash" text not null, "notice" text null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null);`);
    this.addSql(`alter table "sessions" add constraint "sessions_hash" unique ("hash");`);
    this.addSql(`create index "sessions_of_user" on "sessions" ("user_id");`);
    this.addSql(`create index "sessions_by_end" on "sessions" ("expires_at");`);

    this.addSql(`create table "account_links" ("id" bigserial primary key, "kind" text not null, "user_id" bigint not null, "membership_id" bigint null, "hash" text not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null);`);
    this.addSql(`alter table "account_links" add constraint "account_links_hash" unique ("hash");`);
    this.addSql(`create index "account_links_of_user" on "account_links" ("user_id");`);
    this.addSql(`create index "account_links_of_membership" on "account_links" ("membership_id");`);
    this.addSql(`create index "account_links_by_end" on "account_links" ("expires_at");`);

    this.addSql(`create table "oauth_requests" ("id" bigserial primary key, "session_id" bigint not null, "app_id" bigint not null, "redirect_uri" text not null, "scopes" text not null, "state" text null, "code_challenge" text null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "answered_at" timestamptz(3) null);`);
    this.addSql(`create index "oauth_requests_of_session" on "oauth_requests" ("session_id", "id");`);
    this.addSql(`create index "oauth_requests_of_app" on "oauth_requests" ("app_id");`);
    this.addSql(`create index "oauth_requests_by_end" on "oauth_requests" ("expires_at");`);

    this.addSql(`create table "oauth_grants" ("id" bigserial primary key, "app_id" bigint not null, "location_id" bigint not null, "membership_id" bigint not null, "created_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null);`);
    this.addSql(`create index "oauth_grants_of_app" on "oauth_grants" ("app_id", "location_id");`);
    this.addSql(`create index "oauth_grants_of_location" on "oauth_grants" ("location_id");`);
    this.addSql(`create index "oauth_grants_of_membership" on "oauth_grants" ("membership_id");`);

    this.addSql(`create table "oauth_tokens" ("id" bigserial primary key, "grant_id" bigint not null, "access_hash" text not null, "refresh_hash" text not null, "scopes" text not null, "access_expires_at" timestamptz(3) not null, "refresh_expires_at" timestamptz(3) not null, "spent_at" timestamptz(3) null, "access_revoked_at" timestamptz(3) null);`);
    this.addSql(`alter table "oauth_tokens" add constraint "oauth_tokens_access_hash" unique ("access_hash");`);
    this.addSql(`alter table "oauth_tokens" add constraint "oauth_tokens_refresh_hash" unique ("refresh_hash");`);
    this.addSql(`create index "oauth_tokens_of_grant" on "oauth_tokens" ("grant_id");`);
    this.addSql(`create index "oauth_tokens_by_end" on "oauth_tokens" ("refresh_expires_at");`);

    this.addSql(`create table "oauth_codes" ("id" bigserial primary key, "grant_id" bigint not null, "hash" text not null, "redirect_uri" text not null, "scopes" text not null, "code_challenge" text null, "expires_at" timestamptz(3) not null, "redeemed_at" timestamptz(3) null);`);
    this.addSql(`alter table "oauth_codes" add constraint "oauth_codes_hash" unique ("hash");`);
    this.addSql(`create index "oauth_codes_of_grant" on "oauth_codes" ("grant_id");`);
    this.addSql(`create index "oauth_codes_by_end" on "oauth_codes" ("expires_at");`);

    this.addSql(`create table "app_installs" ("id" bigserial primary key, "app_id" bigint not null, "location_id" bigint not null, "user_id" bigint not null, "user_name" text not null, "scopes" text not null, "installed_at" timestamptz(3) not null, "uninstalled_at" timestamptz(3) null);`);
    this.addSql(`create index "app_installs_of_app" on "app_installs" ("app_id", "id");`);
    this.addSql(`create index "app_installs_of_location" on "app_installs" ("location_id", "id");`);

    this.addSql(`alter table "users" add "password_hash" text null;`);

    this.addSql(`alter table "sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);

    this.addSql(`alter table "account_links" add constraint "account_links_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "account_links" add constraint "account_links_membership_id_foreign" foreign key ("membership_id") references "memberships" ("id") on delete cascade;`);
    this.addSql(`alter table "account_links" add constraint "account_links_kind_check" check ("kind" in ('invitation', 'reset'));`);

    this.addSql(`alter table "oauth_requests" add constraint "oauth_requests_session_id_foreign" foreign key ("session_id") references "sessions" ("id") on delete cascade;`);
    this.addSql(`alter table "oauth_requests" add constraint "oauth_requests_app_id_foreign" foreign key ("app_id") references "apps" ("id") on delete cascade;`);

    this.addSql(`alter table "oauth_grants" add constraint "oauth_grants_app_id_foreign" foreign key ("app_id") references "apps" ("id") on delete cascade;`);
    this.addSql(`alter table "oauth_grants" add constraint "oauth_grants_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete cascade;`);
    this.addSql(`alter table "oauth_grants" add constraint "oauth_grants_membership_id_foreign" foreign key ("membership_id") references "memberships" ("id") on delete cascade;`);

    this.addSql(`alter table "oauth_tokens" add constraint "oauth_tokens_grant_id_foreign" foreign key ("grant_id") references "oauth_grants" ("id") on delete cascade;`);

    this.addSql(`alter table "oauth_codes" add constraint "oauth_codes_grant_id_foreign" foreign key ("grant_id") references "oauth_grants" ("id") on delete cascade;`);

    this.addSql(`alter table "app_installs" add constraint "app_installs_app_id_foreign" foreign key ("app_id") references "apps" ("id") on delete cascade;`);
    this.addSql(`alter table "app_installs" add constraint "app_installs_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`alter table "oauth_requests" drop constraint "oauth_requests_session_id_foreign";`);
    this.addSql(`alter table "oauth_tokens" drop constraint "oauth_tokens_grant_id_foreign";`);
    this.addSql(`alter table "oauth_codes" drop constraint "oauth_codes_grant_id_foreign";`);

    this.addSql(`drop table if exists "sessions" cascade;`);
    this.addSql(`drop table if exists "account_links" cascade;`);
    this.addSql(`drop table if exists "oauth_requests" cascade;`);
    this.addSql(`drop table if exists "oauth_grants" cascade;`);
    this.addSql(`drop table if exists "oauth_tokens" cascade;`);
    this.addSql(`drop table if exists "oauth_codes" cascade;`);
    this.addSql(`drop table if exists "app_installs" cascade;`);

    this.addSql(`alter table "users" drop column "password_hash";`);
  }
}
