/** Changes nothing: SQLite keeps the foreign keys, which cost little there, and whose removal would rewrite the tables (ADR 86). */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261126150806_values_without_foreign_keys extends Migration {
  override readonly name = "Migration20261126150806_values_without_foreign_keys";

  override up(): void {}

  override down(): void {}
}
