/** Platform billing: accounts of app owners, subscriptions and checkouts at Stripe, calls to it, charges, the ledger, and events of its webhooks. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122193006_platform_billing extends Migration {
  override readonly name = "Migration20261122193006_platform_billing";

  override up(): void {
    this.addSql(`create table \`stripe_calls\` (\`id\` integer not null primary key autoincrement, \`kind\` text check (\`kind\` in ('refund', 'reversal', 'transfer', 'cancel', 'resume', 'end', 'price', 'notice')) not null, \`key\` text not null, \`app_subscription_id\` integer not null, \`charge_id\` integer null, \`subject\` text not null, \`amount_cents\` integer null, \`reason\` text null, \`intended_at\` datetime not null, \`due_at\` datetime not null, \`attempts\` integer not null default 0, \`done_at\` datetime null, \`failed_at\` datetime null, \`result\` text null, \`error\` text null);`);
    this.addSql(`create unique index \`stripe_calls_key\` on \`stripe_calls\` (\`key\`);`);
    this.addSql(`create index \`stripe_calls_of_subscription\` on \`stripe_calls\` (\`app_subscription_id\`, \`id\`);`);
    this.addSql(`create index \`stripe_calls_of_charge\` on \`stripe_calls\` (\`charge_id\`, \`id\`);`);
    this.addSql(`create index "stripe_calls_due" on "stripe_calls" ("due_at", "id") where "done_at" is null and "failed_at" is null;`);

    this.addSql(`create table \`stripe_events\` (\`id\` integer not null primary key autoincrement, \`stripe_id\` text not null, \`type\` text not null, \`subject\` text not null, \`created_at\` datetime not null, \`received_at\` datetime not null, \`due_at\` datetime not null, \`attempts\` integer not null default 0, \`applied_at\` datetime null, \`error\` text null);`);
    this.addSql(`create unique index \`stripe_events_stripe_id\` on \`stripe_events\` (\`stripe_id\`);`);
    this.addSql(`create index "stripe_events_due" on "stripe_events" ("due_at", "id") where "applied_at" is null;`);
    this.addSql(`create index \`stripe_events_applied\` on \`stripe_events\` (\`applied_at\`);`);

    this.addSql(`create table \`platform_checkouts\` (\`id\` integer not null primary key autoincrement, \`key\` text not null, \`app_subscription_id\` integer not null, \`pending_install_id\` integer not null, \`status\` text check (\`status\` in ('intended', 'open', 'complete', 'expired')) not null, \`price_cents\` integer not null, \`trial_days\` integer not null, \`session_id\` text null, \`subscription_id\` text null, \`created_at\` datetime not null, constraint \`platform_checkouts_app_subscription_id_foreign\` foreign key (\`app_subscription_id\`) references \`app_subscriptions\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`platform_checkouts_key\` on \`platform_checkouts\` (\`key\`);`);
    this.addSql(`create unique index \`platform_checkouts_session\` on \`platform_checkouts\` (\`session_id\`);`);
    this.addSql(`create unique index \`platform_checkouts_began\` on \`platform_checkouts\` (\`subscription_id\`);`);
    this.addSql(`create index \`platform_checkouts_of_subscription\` on \`platform_checkouts\` (\`app_subscription_id\`, \`id\`);`);

    this.addSql(`create table \`platform_charges\` (\`id\` integer not null primary key autoincrement, \`stripe_id\` text not null, \`app_id\` integer not null, \`app_subscription_id\` integer not null, \`transfer_id\` text not null, \`destination\` text not null, \`amount_cents\` integer not null, \`taken_cents\` integer not null default 0, \`charged_at\` datetime not null, constraint \`platform_charges_app_id_foreign\` foreign key (\`app_id\`) references \`apps\` (\`id\`) on delete restrict, constraint \`platform_charges_app_subscription_id_foreign\` foreign key (\`app_subscription_id\`) references \`app_subscriptions\` (\`id\`) on delete restrict);`);
    this.addSql(`create unique index \`platform_charges_stripe_id\` on \`platform_charges\` (\`stripe_id\`);`);
    this.addSql(`create index \`platform_charges_of_subscription\` on \`platform_charges\` (\`app_subscription_id\`, \`id\`);`);
    this.addSql(`create index \`platform_charges_of_app\` on \`platform_charges\` (\`app_id\`, \`id\`);`);
    this.addSql(`create index \`platform_charges_by_time\` on \`platform_charges\` (\`charged_at\`, \`id\`);`);

    this.addSql(`create table \`ledger_entries\` (\`id\` integer not null primary key autoincrement, \`kind\` text check (\`kind\` in ('charge', 'refund', 'transfer', 'reversal', 'dispute', 'dispute_won')) not null, \`stripe_id\` text not null, \`app_id\` integer not null, \`charge_id\` integer not null, \`amount_cents\` integer not null, \`period\` integer not null, \`occurred_at\` datetime not null, \`recorded_at\` datetime not null, constraint \`ledger_entries_charge_id_foreign\` foreign key (\`charge_id\`) references \`platform_charges\` (\`id\`) on delete restrict);`);
    this.addSql(`create index \`ledger_entries_of_app\` on \`ledger_entries\` (\`app_id\`, \`period\`, \`kind\`, \`amount_cents\`);`);
    this.addSql(`create index \`ledger_entries_of_charge\` on \`ledger_entries\` (\`charge_id\`, \`id\`);`);
    this.addSql(`create index \`ledger_entries_by_time\` on \`ledger_entries\` (\`occurred_at\`, \`id\`);`);
    this.addSql(`create unique index \`ledger_entries_once\` on \`ledger_entries\` (\`stripe_id\`, \`kind\`);`);

    this.addSql(`alter table \`apps\` add column \`account_key\` text null;`);
    this.addSql(`alter table \`apps\` add column \`account_id\` text null;`);
    this.addSql(`alter table \`apps\` add column \`charges_enabled\` integer not null default false;`);
    this.addSql(`alter table \`apps\` add column \`payouts_enabled\` integer not null default false;`);
    this.addSql(`create unique index \`apps_account_id\` on \`apps\` (\`account_id\`);`);

    this.addSql(`alter table \`app_subscriptions\` add column \`stripe_id\` text null;`);
    this.addSql(`alter table \`app_subscriptions\` add column \`customer_id\` text null;`);
    this.addSql(`alter table \`app_subscriptions\` add column \`stripe_status\` text null;`);
    this.addSql(`alter table \`app_subscriptions\` add column \`price_cents\` integer null;`);
    this.addSql(`alter table \`app_subscriptions\` add column \`period_ends_at\` datetime null;`);
    this.addSql(`alter table \`app_subscriptions\` add column \`past_due_since\` datetime null;`);
    this.addSql(`alter table \`app_subscriptions\` add column \`read_at\` datetime null;`);
    this.addSql(`create unique index \`app_subscriptions_stripe_id\` on \`app_subscriptions\` (\`stripe_id\`);`);

    this.addSql(`alter table \`app_installs\` add column \`payment_due_at\` datetime null;`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`stripe_calls\`;`);
    this.addSql(`drop table if exists \`stripe_events\`;`);
    this.addSql(`drop table if exists \`platform_checkouts\`;`);
    this.addSql(`drop table if exists \`platform_charges\`;`);
    this.addSql(`drop table if exists \`ledger_entries\`;`);

    this.addSql(`alter table \`app_installs\` drop column \`payment_due_at\`;`);

    this.addSql(`drop index \`app_subscriptions_stripe_id\`;`);
    this.addSql(`alter table \`app_subscriptions\` drop column \`stripe_id\`;`);
    this.addSql(`alter table \`app_subscriptions\` drop column \`customer_id\`;`);
    this.addSql(`alter table \`app_subscriptions\` drop column \`stripe_status\`;`);
    this.addSql(`alter table \`app_subscriptions\` drop column \`price_cents\`;`);
    this.addSql(`alter table \`app_subscriptions\` drop column \`period_ends_at\`;`);
    this.addSql(`alter table \`app_subscriptions\` drop column \`past_due_since\`;`);
    this.addSql(`alter table \`app_subscriptions\` drop column \`read_at\`;`);

    this.addSql(`drop index \`apps_account_id\`;`);
    this.addSql(`alter table \`apps\` drop column \`account_key\`;`);
    this.addSql(`alter table \`apps\` drop column \`account_id\`;`);
    this.addSql(`alter table \`apps\` drop column \`charges_enabled\`;`);
    this.addSql(`alter table \`apps\` drop column \`payouts_enabled\`;`);
  }
}
