/** Ended runs are found by the time of their end, to forget them: the index workflow_runs_ended. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123063337_ended_runs_by_time extends Migration {
  override readonly name = "Migration20261123063337_ended_runs_by_time";

  override up(): void {
    this.addSql(`create index "workflow_runs_ended" on "workflow_runs" ("completed_at", "id") where "completed_at" is not null;`);
  }

  override down(): void {
    this.addSql(`drop index "workflow_runs_ended";`);
  }
}
