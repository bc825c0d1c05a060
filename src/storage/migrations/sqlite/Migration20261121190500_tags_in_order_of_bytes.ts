/** Nothing: SQLite orders by bytes as it is, and each migration is one of both databases. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121190500_tags_in_order_of_bytes extends Migration {
  override readonly name = "Migration20261121190500_tags_in_order_of_bytes";

  override up(): void {}

  override down(): void {}
}
