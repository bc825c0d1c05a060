/** Billing of apps, installs that wait for a payment, subscriptions, and the ledger of what apps report. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121222956_billing extends Migration {
  override readonly name = "Migration20261121222956_billing";

  override up(): void {
    this.addSql(`create table "pending_installs" ("id" bigserial primary key, "hash" text not null, "app_id" bigint not null, "user_id" bigint not null, "location_id" bigint not null, "redirect_uri" text not null, "scopes" text not null, "state" text null, "code_challenge" text null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "finished_at" timestamptz(3) null);`);
    this.addSql(`alter table "pending_installs" add constraint "pending_installs_hash" unique ("hash");`);
    this.addSql(`create index "pending_installs_of_user" on "pending_installs" ("user_id", "id");`);
    this.addSql(`create index "pending_installs_of_app" on "pending_installs" ("app_id");`);
    this.addSql(`create index "pending_installs_of_location" on "pending_installs" ("location_id");`);
    this.addSql(`create index "pending_installs_by_end" on "pending_installs" ("expires_at");`);

    this.addSql(`create table "app_subscriptions" ("id" bigserial primary key, "app_id" bigint not null, "workspace_id" bigint not null, "location_id" bigint null, "payment_status" text null, "amount_cents" bigint null, "payment_id" text null, "subscription_id" text null, "last_report_at" timestamptz(3) null, "canceled_at" timestamptz(3) null, "created_at" timestamptz(3) not null);`);
    this.addSql(`create index "app_subscriptions_of_app" on "app_subscriptions" ("app_id", "id");`);
    this.addSql(`create index "app_subscriptions_of_workspace" on "app_subscriptions" ("workspace_id", "id");`);
    this.addSql(`create unique index "app_subscriptions_of_location" on "app_subscriptions" ("location_id", "app_id");`);
    this.addSql(`create unique index "app_subscriptions_of_company" on "app_subscriptions" ("workspace_id", "app_id") where "location_id" is null;`);

    this.addSql(`create table "billing_reports" ("id" bigserial primary key, "app_subscription_id" bigint not null, "status" text not null, "amount_cents" bigint not null, "payment_type" text not null, "payment_id" text null, "subscription_id" text null, "received_at" timestamptz(3) not null);`);
    this.addSql(`create index "billing_reports_of_subscription" on "billing_reports" ("app_subscription_id", "id");`);

    this.addSql(`alter table "apps" add "billing" text not null default 'none', add "install_type" text not null default 'location', add "payment_page_url" text null, add "price_cents" bigint null, add "trial_days" bigint null;`);
    this.addSql(`alter table "apps" add constraint "apps_billing_check" check ("billing" in ('none', 'platform', 'external'));`);
    this.addSql(`alter table "apps" add constraint "apps_install_type_check" check ("install_type" in ('location', 'company'));`);

    this.addSql(`alter table "pending_installs" add constraint "pending_installs_app_id_foreign" foreign key ("app_id") references "apps" ("id") on delete cascade;`);
    this.addSql(`alter table "pending_installs" add constraint "pending_installs_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`);
    this.addSql(`alter table "pending_installs" add constraint "pending_installs_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete cascade;`);

    this.addSql(`alter table "app_subscriptions" add constraint "app_subscriptions_app_id_foreign" foreign key ("app_id") references "apps" ("id") on delete cascade;`);
    this.addSql(`alter table "app_subscriptions" add constraint "app_subscriptions_workspace_id_foreign" foreign key ("workspace_id") references "workspaces" ("id") on delete cascade;`);
    this.addSql(`alter table "app_subscriptions" add constraint "app_subscriptions_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete cascade;`);
    this.addSql(`alter table "app_subscriptions" add constraint "app_subscriptions_payment_status_check" check ("payment_status" in ('COMPLETED', 'FAILED'));`);

    this.addSql(`alter table "billing_reports" add constraint "billing_reports_app_subscription_id_foreign" foreign key ("app_subscription_id") references "app_subscriptions" ("id") on delete cascade;`);
    this.addSql(`alter table "billing_reports" add constraint "billing_reports_status_check" check ("status" in ('COMPLETED', 'FAILED'));`);
    this.addSql(`alter table "billing_reports" add constraint "billing_reports_payment_type_check" check ("payment_type" in ('one_time', 'recurring'));`);
  }

  override down(): void {
    this.addSql(`alter table "billing_reports" drop constraint "billing_reports_app_subscription_id_foreign";`);

    this.addSql(`drop table if exists "pending_installs" cascade;`);
    this.addSql(`drop table if exists "app_subscriptions" cascade;`);
    this.addSql(`drop table if exists "billing_reports" cascade;`);

    this.addSql(`alter table "apps" drop constraint "apps_billing_check";`);
    this.addSql(`alter table "apps" drop constraint "apps_install_type_check";`);
    this.addSql(`alter table "apps" drop column "billing", drop column "install_type", drop column "payment_page_url", drop column "price_cents", drop column "trial_days";`);
  }
}
