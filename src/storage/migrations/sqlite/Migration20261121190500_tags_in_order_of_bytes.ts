/** Nothing on SQLite, which compares bytes; the migration exists on both databases. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121190500_tags_in_order_of_bytes extends Migration {
  override readonly name = "Migration20261121190500_tags_in_order_of_bytes";

  override up(): void {}

  override down(): void {}
}
