/** Adds `refund_failed` to the kinds of ledger entries. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123061027_refund_failed extends Migration {
  override readonly name = "Migration20261123061027_refund_failed";

  override up(): void {
    this.addSql(`pragma foreign_keys = off;`);
    this.addSql(`create table \`ledger_entries__temp_alter\` (\`id\` integer not null primary key autoincrement, \`kind\` text check (\`kind\` in ('charge', 'refund', 'refund_failed', 'transfer', 'reversal', 'dispute', 'dispute_won')) not null, \`stripe_id\` text not null, \`app_id\` integer not null, \`charge_id\` integer not null, \`amount_cents\` integer not null, \`period\` integer not null, \`occurred_at\` datetime not null, \`recorded_at\` datetime not null, constraint \`ledger_entries_charge_id_foreign\` foreign key (\`charge_id\`) references \`platform_charges\` (\`id\`) on delete restrict);`);
    this.addSql(`insert into \`ledger_entries__temp_alter\` select \`id\`, \`kind\`, \`stripe_id\`, \`app_id\`, \`charge_id\`, \`amount_cents\`, \`period\`, \`occurred_at\`, \`recorded_at\` from \`ledger_entries\`;`);
    this.addSql(`drop table \`ledger_entries\`;`);
    this.addSql(`alter table \`ledger_entries__temp_alter\` rename to \`ledger_entries\`;`);
    this.addSql(`create index \`ledger_entries_of_app\` on \`ledger_entries\` (\`app_id\`, \`period\`, \`kind\`, \`amount_cents\`);`);
    this.addSql(`create index \`ledger_entries_of_charge\` on \`ledger_entries\` (\`charge_id\`, \`id\`);`);
    this.addSql(`create index \`ledger_entries_by_time\` on \`ledger_entries\` (\`occurred_at\`, \`id\`);`);
    this.addSql(`create unique index \`ledger_entries_once\` on \`ledger_entries\` (\`stripe_id\`, \`kind\`);`);
    this.addSql(`pragma foreign_keys = on;`);
  }

  override down(): void {
    this.addSql(`pragma foreign_keys = off;`);
    this.addSql(`create table \`ledger_entries__temp_alter\` (\`amount_cents\` integer not null, \`app_id\` integer not null, \`charge_id\` integer not null, \`id\` integer not null primary key autoincrement, \`kind\` text check (\`kind\` in ('charge', 'refund', 'transfer', 'reversal', 'dispute', 'dispute_won')) not null, \`occurred_at\` datetime not null, \`period\` integer not null, \`recorded_at\` datetime not null, \`stripe_id\` text not null, constraint \`ledger_entries_charge_id_foreign\` foreign key (\`charge_id\`) references \`platform_charges\` (\`id\`) on delete restrict);`);
    this.addSql(`insert into \`ledger_entries__temp_alter\` select \`amount_cents\`, \`app_id\`, \`charge_id\`, \`id\`, \`kind\`, \`occurred_at\`, \`period\`, \`recorded_at\`, \`stripe_id\` from \`ledger_entries\`;`);
    this.addSql(`drop table \`ledger_entries\`;`);
    this.addSql(`alter table \`ledger_entries__temp_alter\` rename to \`ledger_entries\`;`);
    this.addSql(`create index \`ledger_entries_by_time\` on \`ledger_entries\` (\`occurred_at\`, \`id\`);`);
    this.addSql(`create index \`ledger_entries_of_app\` on \`ledger_entries\` (\`app_id\`, \`period\`, \`kind\`, \`amount_cents\`);`);
    this.addSql(`create index \`ledger_entries_of_charge\` on \`ledger_entries\` (\`charge_id\`, \`id\`);`);
    this.addSql(`create unique index \`ledger_entries_once\` on \`ledger_entries\` (\`stripe_id\`, \`kind\`);`);
    this.addSql(`pragma foreign_keys = on;`);
  }
}
