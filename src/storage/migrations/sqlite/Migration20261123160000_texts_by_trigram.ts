/** Nothing on SQLite, which has its text index; the migration exists on both databases. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123160000_texts_by_trigram extends Migration {
  override readonly name = "Migration20261123160000_texts_by_trigram";

  override up(): void {}

  override down(): void {}
}
