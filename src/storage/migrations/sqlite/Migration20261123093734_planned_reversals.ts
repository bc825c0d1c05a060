/** Adds the transfer to recorded calls to Stripe: what a reversal takes from, and what Stripe reverses with a refund. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123093734_planned_reversals extends Migration {
  override readonly name = "Migration20261123093734_planned_reversals";

  override up(): void {
    this.addSql(`alter table \`stripe_calls\` add column \`transfer_id\` text null;`);
    // An open refund keeps the parameters that it was sent with.
    this.addSql(`update stripe_calls set transfer_id = (select c.transfer_id from platform_charges c where c.id = stripe_calls.charge_id
      and (select count(*) from ledger_entries e where e.charge_id = c.id and e.kind = 'transfer') = 1)
      where kind = 'refund' and done_at is null and failed_at is null;`);
  }

  override down(): void {
    this.addSql(`alter table \`stripe_calls\` drop column \`transfer_id\`;`);
  }
}
