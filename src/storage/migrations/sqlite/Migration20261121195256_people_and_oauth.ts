/** Passwords, sessions and one-time links; requests, grants, codes, tokens and installs of OAuth. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121195256_people_and_oauth extends Migration {
  override readonly name = "Migration20261121195256_people_and_oauth";

  override up(): void {
    this.addSql(`create table \`sessions\` (\`id\` integer not null primary key autoincrement, \`user_id\` integer not null, \`hash\` text not null, \`notice\` text null, \`created_at\` datetime not null, \`expires_at\` datetime not null, constraint \`sessions_user_id_foreign\` foreign key (\`user_id\`) references \`users\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`sessions_hash\` on \`sessions\` (\`hash\`);`);
    this.addSql(`create index \`sessions_of_user\` on \`sessions\` (\`user_id\`);`);
    this.addSql(`create index \`sessions_by_end\` on \`sessions\` (\`expires_at\`);`);

    this.addSql(`create table \`account_links\` (\`id\` integer not null primary key autoincrement, \`kind\` text check (\`kind\` in ('invitation', 'reset')) not null, \`user_id\` integer not null, \`membership_id\` integer null, \`hash\` text not null, \`created_at\` datetime not null, \`expires_at\` datetime not null, \`used_at\` datetime null, constraint \`account_links_user_id_foreign\` foreign key (\`user_id\`) references \`users\` (\`id\`) on delete cascade, constraint \`account_links_membership_id_foreign\` foreign key (\`membership_id\`) references \`memberships\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`account_links_hash\` on \`account_links\` (\`hash\`);`);
    this.addSql(`create index \`account_links_of_user\` on \`account_links\` (\`user_id\`);`);
    this.addSql(`create index \`account_links_of_membership\` on \`account_links\` (\`membership_id\`);`);
    this.addSql(`create index \`account_links_by_end\` on \`account_links\` (\`expires_at\`);`);

    this.addSql(`create table \`oauth_requests\` (\`id\` integer not null primary key autoincrement, \`session_id\` integer not null, \`app_id\` integer not null, \`redirect_uri\` text not null, \`scopes\` text not null, \`state\` text null, \`code_challenge\` text null, \`created_at\` datetime not null, \`expires_at\` datetime not null, \`answered_at\` datetime null, constraint \`oauth_requests_session_id_foreign\` foreign key (\`session_id\`) references \`sessions\` (\`id\`) on delete cascade, constraint \`oauth_requests_app_id_foreign\` foreign key (\`app_id\`) references \`apps\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`oauth_requests_of_session\` on \`oauth_requests\` (\`session_id\`, \`id\`);`);
    this.addSql(`create index \`oauth_requests_of_app\` on \`oauth_requests\` (\`app_id\`);`);
    this.addSql(`create index \`oauth_requests_by_end\` on \`oauth_requests\` (\`expires_at\`);`);

    this.addSql(`create table \`oauth_grants\` (\`id\` integer not null primary key autoincrement, \`app_id\` integer not null, \`location_id\` integer not null, \`membership_id\` integer not null, \`created_at\` datetime not null, \`revoked_at\` datetime null, constraint \`oauth_grants_app_id_foreign\` foreign key (\`app_id\`) references \`apps\` (\`id\`) on delete cascade, constraint \`oauth_grants_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete cascade, constraint \`oauth_grants_membership_id_foreign\` foreign key (\`membership_id\`) references \`memberships\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`oauth_grants_of_app\` on \`oauth_grants\` (\`app_id\`, \`location_id\`);`);
    this.addSql(`create index \`oauth_grants_of_location\` on \`oauth_grants\` (\`location_id\`);`);
    this.addSql(`create index \`oauth_grants_of_membership\` on \`oauth_grants\` (\`membership_id\`);`);

    this.addSql(`create table \`oauth_tokens\` (\`id\` integer not null primary key autoincrement, \`grant_id\` integer not null, \`access_hash\` text not null, \`refresh_hash\` text not null, \`scopes\` text not null, \`access_expires_at\` datetime not null, \`refresh_expires_at\` datetime not null, \`spent_at\` datetime null, \`access_revoked_at\` datetime null, constraint \`oauth_tokens_grant_id_foreign\` foreign key (\`grant_id\`) references \`oauth_grants\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`oauth_tokens_access_hash\` on \`oauth_tokens\` (\`access_hash\`);`);
    this.addSql(`create unique index \`oauth_tokens_refresh_hash\` on \`oauth_tokens\` (\`refresh_hash\`);`);
    this.addSql(`create index \`oauth_tokens_of_grant\` on \`oauth_tokens\` (\`grant_id\`);`);
    this.addSql(`create index \`oauth_tokens_by_end\` on \`oauth_tokens\` (\`refresh_expires_at\`);`);

    this.addSql(`create table \`oauth_codes\` (\`id\` integer not null primary key autoincrement, \`grant_id\` integer not null, \`hash\` text not null, \`redirect_uri\` text not null, \`scopes\` text not null, \`code_challenge\` text null, \`expires_at\` datetime not null, \`redeemed_at\` datetime null, constraint \`oauth_codes_grant_id_foreign\` foreign key (\`grant_id\`) references \`oauth_grants\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`oauth_codes_hash\` on \`oauth_codes\` (\`hash\`);`);
    this.addSql(`create index \`oauth_codes_of_grant\` on \`oauth_codes\` (\`grant_id\`);`);
    this.addSql(`create index \`oauth_codes_by_end\` on \`oauth_codes\` (\`expires_at\`);`);

    this.addSql(`create table \`app_installs\` (\`id\` integer not null primary key autoincrement, \`app_id\` integer not null, \`location_id\` integer not null, \`user_id\` integer not null, \`user_name\` text not null, \`scopes\` text not null, \`installed_at\` datetime not null, \`uninstalled_at\` datetime null, constraint \`app_installs_app_id_foreign\` foreign key (\`app_id\`) references \`apps\` (\`id\`) on delete cascade, constraint \`app_installs_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`app_installs_of_app\` on \`app_installs\` (\`app_id\`, \`id\`);`);
    this.addSql(`create index \`app_installs_of_location\` on \`app_installs\` (\`location_id\`, \`id\`);`);

    this.addSql(`alter table \`users\` add column \`password_hash\` text null;`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`sessions\`;`);
    this.addSql(`drop table if exists \`account_links\`;`);
    this.addSql(`drop table if exists \`oauth_requests\`;`);
    this.addSql(`drop table if exists \`oauth_grants\`;`);
    this.addSql(`drop table if exists \`oauth_tokens\`;`);
    this.addSql(`drop table if exists \`oauth_codes\`;`);
    this.addSql(`drop table if exists \`app_installs\`;`);

    this.addSql(`alter table \`users\` drop column \`password_hash\`;`);
  }
}
