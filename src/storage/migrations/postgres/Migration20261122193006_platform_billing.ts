/** Platform billing: accounts of app owners, subscriptions and checkouts at Stripe, calls to it, charges, the ledger, and events of its webhooks. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122193006_platform_billing extends Migration {
  override readonly name = "Migration20261122193006_platform_billing";

  override up(): void {
    this.addSql(`create table "stripe_calls" ("id" bigserial primary key, "kind" text not null, "key" text not null, "app_subscription_id" bigint not null, "charge_id" bigint null, "subject" text not null, "amount_cents" bigint null, "reason" text null, "intended_at" timestamptz(3) not null, "due_at" timestamptz(3) not null, "attempts" bigint not null default 0, "done_at" timestamptz(3) null, "failed_at" timestamptz(3) null, "result" text null, "error" text null);`);
    this.addSql(`alter table "stripe_calls" add constraint "stripe_calls_key" unique ("key");`);
    this.addSql(`create index "stripe_calls_of_subscription" on "stripe_calls" ("app_subscription_id", "id");`);
    this.addSql(`create index "stripe_calls_of_charge" on "stripe_calls" ("charge_id", "id");`);
    this.addSql(`create index "stripe_calls_due" on "stripe_calls" ("due_at", "id") where "done_at" is null and "failed_at" is null;`);

    this.addSql(`create table "stripe_events" ("id" bigserial primary key, "stripe_id" text not null, "type" text not null, "subject" text not null, "created_at" timestamptz(3) not null, "received_at" timestamptz(3) not null, "due_at" timestamptz(3) not null, "attempts" bigint not null default 0, "applied_at" timestamptz(3) null, "error" text null);`);
    this.addSql(`alter table "stripe_events" add constraint "stripe_events_stripe_id" unique ("stripe_id");`);
    this.addSql(`create index "stripe_events_due" on "stripe_events" ("due_at", "id") where "applied_at" is null;`);
    this.addSql(`create index "stripe_events_applied" on "stripe_events" ("applied_at");`);

    this.addSql(`create table "platform_checkouts" ("id" bigserial primary key, "key" text not null, "app_subscription_id" bigint not null, "pending_install_id" bigint not null, "status" text not null, "price_cents" bigint not null, "trial_days" bigint not null, "session_id" text null, "subscription_id" text null, "created_at" timestamptz(3) not null);`);
    this.addSql(`alter table "platform_checkouts" add constraint "platform_checkouts_key" unique ("key");`);
    this.addSql(`alter table "platform_checkouts" add constraint "platform_checkouts_session" unique ("session_id");`);
    this.addSql(`alter table "platform_checkouts" add constraint "platform_checkouts_began" unique ("subscription_id");`);
    this.addSql(`create index "platform_checkouts_of_subscription" on "platform_checkouts" ("app_subscription_id", "id");`);

    this.addSql(`create table "platform_charges" ("id" bigserial primary key, "stripe_id" text not null, "app_id" bigint not null, "app_subscription_id" bigint not null, "transfer_id" text not null, "destination" text not null, "amount_cents" bigint not null, "taken_cents" bigint not null default 0, "charged_at" timestamptz(3) not null);`);
    this.addSql(`alter table "platform_charges" add constraint "platform_charges_stripe_id" unique ("stripe_id");`);
    this.addSql(`create index "platform_charges_of_subscription" on "platform_charges" ("app_subscription_id", "id");`);
    this.addSql(`create index "platform_charges_of_app" on "platform_charges" ("app_id", "id");`);
    this.addSql(`create index "platform_charges_by_time" on "platform_charges" ("charged_at", "id");`);

    this.addSql(`create table "ledger_entries" ("id" bigserial primary key, "kind" text not null, "stripe_id" text not null, "app_id" bigint not null, "charge_id" bigint not null, "amount_cents" bigint not null, "period" bigint not null, "occurred_at" timestamptz(3) not null, "recorded_at" timestamptz(3) not null);`);
    this.addSql(`create index "ledger_entries_of_app" on "ledger_entries" ("app_id", "period", "kind", "amount_cents");`);
    this.addSql(`create index "ledger_entries_of_charge" on "ledger_entries" ("charge_id", "id");`);
    this.addSql(`create index "ledger_entries_by_time" on "ledger_entries" ("occurred_at", "id");`);
    this.addSql(`alter table "ledger_entries" add constraint "ledger_entries_once" unique ("stripe_id", "kind");`);

    this.addSql(`alter table "apps" add "account_key" text null, add "account_id" text null, add "charges_enabled" boolean not null default false, add "payouts_enabled" boolean not null default false;`);
    this.addSql(`alter table "apps" add constraint "apps_account_id" unique ("account_id");`);

    this.addSql(`alter table "app_subscriptions" add "stripe_id" text null, add "customer_id" text null, add "stripe_status" text null, add "price_cents" bigint null, add "period_ends_at" timestamptz(3) null, add "past_due_since" timestamptz(3) null, add "read_at" timestamptz(3) null;`);
    this.addSql(`alter table "app_subscriptions" add constraint "app_subscriptions_stripe_id" unique ("stripe_id");`);

    this.addSql(`alter table "app_installs" add "payment_due_at" timestamptz(3) null;`);

    this.addSql(`alter table "stripe_calls" add constraint "stripe_calls_kind_check" check ("kind" in ('refund', 'reversal', 'transfer', 'cancel', 'resume', 'end', 'price', 'notice'));`);

    this.addSql(`alter table "platform_checkouts" add constraint "platform_checkouts_app_subscription_id_foreign" foreign key ("app_subscription_id") references "app_subscriptions" ("id") on delete cascade;`);
    this.addSql(`alter table "platform_checkouts" add constraint "platform_checkouts_status_check" check ("status" in ('intended', 'open', 'complete', 'expired'));`);

    this.addSql(`alter table "platform_charges" add constraint "platform_charges_app_id_foreign" foreign key ("app_id") references "apps" ("id") on delete restrict;`);
    this.addSql(`alter table "platform_charges" add constraint "platform_charges_app_subscription_id_foreign" foreign key ("app_subscription_id") references "app_subscriptions" ("id") on delete restrict;`);

    this.addSql(`alter table "ledger_entries" add constraint "ledger_entries_charge_id_foreign" foreign key ("charge_id") references "platform_charges" ("id") on delete restrict;`);
    this.addSql(`alter table "ledger_entries" add constraint "ledger_entries_kind_check" check ("kind" in ('charge', 'refund', 'transfer', 'reversal', 'dispute', 'dispute_won'));`);
  }

  override down(): void {
    this.addSql(`alter table "ledger_entries" drop constraint "ledger_entries_charge_id_foreign";`);

    this.addSql(`drop table if exists "stripe_calls" cascade;`);
    this.addSql(`drop table if exists "stripe_events" cascade;`);
    this.addSql(`drop table if exists "platform_checkouts" cascade;`);
    this.addSql(`drop table if exists "platform_charges" cascade;`);
    this.addSql(`drop table if exists "ledger_entries" cascade;`);

    this.addSql(`alter table "app_installs" drop column "payment_due_at";`);

    this.addSql(`alter table "app_subscriptions" drop constraint "app_subscriptions_stripe_id";`);
    this.addSql(`alter table "app_subscriptions" drop column "stripe_id", drop column "customer_id", drop column "stripe_status", drop column "price_cents", drop column "period_ends_at", drop column "past_due_since", drop column "read_at";`);

    this.addSql(`alter table "apps" drop constraint "apps_account_id";`);
    this.addSql(`alter table "apps" drop column "account_key", drop column "account_id", drop column "charges_enabled", drop column "payouts_enabled";`);
  }
}
