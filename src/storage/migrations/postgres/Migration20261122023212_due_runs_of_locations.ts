/** What is due is found by location too, so that locations take turns where more is due than one turn takes. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122023212_due_runs_of_locations extends Migration {
  override readonly name = "Migration20261122023212_due_runs_of_locations";

  override up(): void {
    this.addSql(`create index "workflow_runs_due_of_location" on "workflow_runs" ("location_id", "due_at", "id") where "due_at" is not null;`);
  }

  override down(): void {
    this.addSql(`drop index "workflow_runs_due_of_location";`);
  }
}
