/** Adds `void` to the kinds of calls to Stripe: a timeout for paid subscriptions that are never installed. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122224705_void_calls extends Migration {
  override readonly name = "Migration20261122224705_void_calls";

  override up(): void {
    this.addSql(`alter table "stripe_calls" drop constraint "stripe_calls_kind_check";`);
    this.addSql(`alter table "stripe_calls" add constraint "stripe_calls_kind_check" check ("kind" in ('refund', 'reversal', 'transfer', 'cancel', 'resume', 'end', 'price', 'notice', 'void'));`);
  }

  override down(): void {
    this.addSql(`alter table "stripe_calls" drop constraint "stripe_calls_kind_check";`);
    this.addSql(`alter table "stripe_calls" add constraint "stripe_calls_kind_check" check ("kind" in ('refund', 'reversal', 'transfer', 'cancel', 'resume', 'end', 'price', 'notice'));`);
  }
}
