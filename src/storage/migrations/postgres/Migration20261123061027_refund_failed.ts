/** Adds `refund_failed` to the kinds of ledger entries. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123061027_refund_failed extends Migration {
  override readonly name = "Migration20261123061027_refund_failed";

  override up(): void {
    this.addSql(`alter table "ledger_entries" drop constraint "ledger_entries_kind_check";`);
    this.addSql(`alter table "ledger_entries" add constraint "ledger_entries_kind_check" check ("kind" in ('charge', 'refund', 'refund_failed', 'transfer', 'reversal', 'dispute', 'dispute_won'));`);
  }

  override down(): void {
    this.addSql(`alter table "ledger_entries" drop constraint "ledger_entries_kind_check";`);
    this.addSql(`alter table "ledger_entries" add constraint "ledger_entries_kind_check" check ("kind" in ('charge', 'refund', 'transfer', 'reversal', 'dispute', 'dispute_won'));`);
  }
}
