/** Indexes due runs by location, for fair queueing of a backlog. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122023212_due_runs_of_locations extends Migration {
  override readonly name = "Migration20261122023212_due_runs_of_locations";

  override up(): void {
    this.addSql(`create index "workflow_runs_due_of_location" on "workflow_runs" ("location_id", "due_at", "id") where "due_at" is not null;`);
  }

  override down(): void {
    this.addSql(`drop index \`workflow_runs_due_of_location\`;`);
  }
}
