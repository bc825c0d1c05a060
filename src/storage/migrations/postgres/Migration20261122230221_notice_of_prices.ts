/** A price change of an existing subscription notes when its payer was mailed. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122230221_notice_of_prices extends Migration {
  override readonly name = "Migration20261122230221_notice_of_prices";

  override up(): void {
    this.addSql(`alter table "stripe_calls" add "notified_at" timestamptz(3) null;`);
  }

  override down(): void {
    this.addSql(`alter table "stripe_calls" drop column "notified_at";`);
  }
}
