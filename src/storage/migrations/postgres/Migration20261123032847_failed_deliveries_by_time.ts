/** Adds an index of failed deliveries by time: the bars of each hour show which have some. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123032847_failed_deliveries_by_time extends Migration {
  override readonly name = "Migration20261123032847_failed_deliveries_by_time";

  override up(): void {
    this.addSql(`create index "deliveries_failed_by_time" on "deliveries" ("hook_id", "created_at") where "state" = 'failed';`);
  }

  override down(): void {
    this.addSql(`drop index "deliveries_failed_by_time";`);
  }
}
