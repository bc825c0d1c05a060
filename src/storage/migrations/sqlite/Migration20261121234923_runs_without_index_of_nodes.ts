/** Drops the index of runs by node: every move of a run updated it, and few reads used it. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121234923_runs_without_index_of_nodes extends Migration {
  override readonly name = "Migration20261121234923_runs_without_index_of_nodes";

  override up(): void {
    this.addSql(`drop index \`workflow_runs_living_at_node\`;`);
  }

  override down(): void {
    this.addSql(`create index "workflow_runs_living_at_node" on "workflow_runs" ("workflow_id", "version_id", "current_node_id") where "status" in ('active', 'waiting');`);
  }
}
