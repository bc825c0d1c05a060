/** Billing of apps, installs that wait for a payment, subscriptions, and the ledger of what apps report. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121222956_billing extends Migration {
  override readonly name = "Migration20261121222956_billing";

  override up(): void {
    this.addSql(`create table \`pending_installs\` (\`id\` integer not null primary key autoincrement, \`hash\` text not null, \`app_id\` integer not null, \`user_id\` integer not null, \`location_id\` integer not null, \`redirect_uri\` text not null, \`scopes\` text not null, \`state\` text null, \`code_challenge\` text null, \`created_at\` datetime not null, \`expires_at\` datetime not null, \`finished_at\` datetime null, constraint \`pending_installs_app_id_foreign\` foreign key (\`app_id\`) references \`apps\` (\`id\`) on delete cascade, constraint \`pending_installs_user_id_foreign\` foreign key (\`user_id\`) references \`users\` (\`id\`) on delete cascade, constraint \`pending_installs_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`pending_installs_hash\` on \`pending_installs\` (\`hash\`);`);
    this.addSql(`create index \`pending_installs_of_user\` on \`pending_installs\` (\`user_id\`, \`id\`);`);
    this.addSql(`create index \`pending_installs_of_app\` on \`pending_installs\` (\`app_id\`);`);
    this.addSql(`create index \`pending_installs_of_location\` on \`pending_installs\` (\`location_id\`);`);
    this.addSql(`create index \`pending_installs_by_end\` on \`pending_installs\` (\`expires_at\`);`);

    this.addSql(`create table \`app_subscriptions\` (\`id\` integer not null primary key autoincrement, \`app_id\` integer not null, \`workspace_id\` integer not null, \`location_id\` integer null, \`payment_status\` text check (\`payment_status\` in ('COMPLETED', 'FAILED')) null, \`amount_cents\` integer null, \`payment_id\` text null, \`subscription_id\` text null, \`last_report_at\` datetime null, \`canceled_at\` datetime null, \`created_at\` datetime not null, constraint \`app_subscriptions_app_id_foreign\` foreign key (\`app_id\`) references \`apps\` (\`id\`) on delete cascade, constraint \`app_subscriptions_workspace_id_foreign\` foreign key (\`workspace_id\`) references \`workspaces\` (\`id\`) on delete cascade, constraint \`app_subscriptions_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`app_subscriptions_of_app\` on \`app_subscriptions\` (\`app_id\`, \`id\`);`);
    this.addSql(`create index \`app_subscriptions_of_workspace\` on \`app_subscriptions\` (\`workspace_id\`, \`id\`);`);
    this.addSql(`create unique index "app_subscriptions_of_location" on "app_subscriptions" ("location_id", "app_id");`);
    this.addSql(`create unique index "app_subscriptions_of_company" on "app_subscriptions" ("workspace_id", "app_id") where "location_id" is null;`);

    this.addSql(`create table \`billing_reports\` (\`id\` integer not null primary key autoincrement, \`app_subscription_id\` integer not null, \`status\` text check (\`status\` in ('COMPLETED', 'FAILED')) not null, \`amount_cents\` integer not null, \`payment_type\` text check (\`payment_type\` in ('one_time', 'recurring')) not null, \`payment_id\` text null, \`subscription_id\` text null, \`received_at\` datetime not null, constraint \`billing_reports_app_subscription_id_foreign\` foreign key (\`app_subscription_id\`) references \`app_subscriptions\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`billing_reports_of_subscription\` on \`billing_reports\` (\`app_subscription_id\`, \`id\`);`);

    this.addSql(`alter table \`apps\` add column \`billing\` text check (\`billing\` in ('none', 'platform', 'external')) not null default 'none';`);
    this.addSql(`alter table \`apps\` add column \`install_type\` text check (\`install_type\` in ('location', 'company')) not null default 'location';`);
    this.addSql(`alter table \`apps\` add column \`payment_page_url\` text null;`);
    this.addSql(`alter table \`apps\` add column \`price_cents\` integer null;`);
    this.addSql(`alter table \`apps\` add column \`trial_days\` integer null;`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`pending_installs\`;`);
    this.addSql(`drop table if exists \`app_subscriptions\`;`);
    this.addSql(`drop table if exists \`billing_reports\`;`);

    this.addSql(`alter table \`apps\` drop column \`trial_days\`;`);
    this.addSql(`alter table \`apps\` drop column \`price_cents\`;`);
    this.addSql(`alter table \`apps\` drop column \`payment_page_url\`;`);
    this.addSql(`alter table \`apps\` drop column \`install_type\`;`);
    this.addSql(`alter table \`apps\` drop column \`billing\`;`);
  }
}
