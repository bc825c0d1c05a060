/** Adds `void` to the kinds of calls to Stripe: a timeout for paid subscriptions that are never installed. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122224705_void_calls extends Migration {
  override readonly name = "Migration20261122224705_void_calls";

  override up(): void {
    this.addSql(`pragma foreign_keys = off;`);
    this.addSql(`create table \`stripe_calls__temp_alter\` (\`id\` integer not null primary key autoincrement, \`kind\` text check (\`kind\` in ('refund', 'reversal', 'transfer', 'cancel', 'resume', 'end', 'price', 'notice', 'void')) not null, \`key\` text not null, \`app_subscription_id\` integer not null, \`charge_id\` integer null, \`subject\` text not null, \`amount_cents\` integer null, \`reason\` text null, \`intended_at\` datetime not null, \`due_at\` datetime not null, \`attempts\` integer not null default 0, \`done_at\` datetime null, \`failed_at\` datetime null, \`result\` text null, \`error\` text null);`);
    this.addSql(`insert into \`stripe_calls__temp_alter\` select \`id\`, \`kind\`, \`key\`, \`app_subscription_id\`, \`charge_id\`, \`subject\`, \`amount_cents\`, \`reason\`, \`intended_at\`, \`due_at\`, \`attempts\`, \`done_at\`, \`failed_at\`, \`result\`, \`error\` from \`stripe_calls\`;`);
    this.addSql(`drop table \`stripe_calls\`;`);
    this.addSql(`alter table \`stripe_calls__temp_alter\` rename to \`stripe_calls\`;`);
    this.addSql(`create unique index \`stripe_calls_key\` on \`stripe_calls\` (\`key\`);`);
    this.addSql(`create index \`stripe_calls_of_subscription\` on \`stripe_calls\` (\`app_subscription_id\`, \`id\`);`);
    this.addSql(`create index \`stripe_calls_of_charge\` on \`stripe_calls\` (\`charge_id\`, \`id\`);`);
    this.addSql(`create index "stripe_calls_due" on "stripe_calls" ("due_at", "id") where "done_at" is null and "failed_at" is null;`);
    this.addSql(`pragma foreign_keys = on;`);
  }

  override down(): void {
    this.addSql(`pragma foreign_keys = off;`);
    this.addSql(`create table \`stripe_calls__temp_alter\` (\`amount_cents\` integer null, \`app_subscription_id\` integer not null, \`attempts\` integer not null default 0, \`charge_id\` integer null, \`done_at\` datetime null, \`due_at\` datetime not null, \`error\` text null, \`failed_at\` datetime null, \`id\` integer not null primary key autoincrement, \`intended_at\` datetime not null, \`key\` text not null, \`kind\` text check (\`kind\` in ('refund', 'reversal', 'transfer', 'cancel', 'resume', 'end', 'price', 'notice')) not null, \`reason\` text null, \`result\` text null, \`subject\` text not null);`);
    this.addSql(`insert into \`stripe_calls__temp_alter\` select \`amount_cents\`, \`app_subscription_id\`, \`attempts\`, \`charge_id\`, \`done_at\`, \`due_at\`, \`error\`, \`failed_at\`, \`id\`, \`intended_at\`, \`key\`, \`kind\`, \`reason\`, \`result\`, \`subject\` from \`stripe_calls\`;`);
    this.addSql(`drop table \`stripe_calls\`;`);
    this.addSql(`alter table \`stripe_calls__temp_alter\` rename to \`stripe_calls\`;`);
    this.addSql(`create index "stripe_calls_due" on "stripe_calls" ("due_at", "id") where "done_at" is null and "failed_at" is null;`);
    this.addSql(`create unique index \`stripe_calls_key\` on \`stripe_calls\` (\`key\`);`);
    this.addSql(`create index \`stripe_calls_of_charge\` on \`stripe_calls\` (\`charge_id\`, \`id\`);`);
    this.addSql(`create index \`stripe_calls_of_subscription\` on \`stripe_calls\` (\`app_subscription_id\`, \`id\`);`);
    this.addSql(`pragma foreign_keys = on;`);
  }
}
