/** Adds the first run of a chain to runs, and to workflows when they were last part of a long chain. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122164614_chains_of_runs extends Migration {
  override readonly name = "Migration20261122164614_chains_of_runs";

  override up(): void {
    this.addSql(`alter table "workflows" add "chain_grew_at" timestamptz(3) null;`);

    this.addSql(`alter table "workflow_runs" add "origin_run_id" bigint null;`);
    this.addSql(`create index "workflow_runs_of_origin" on "workflow_runs" ("origin_run_id") where "origin_run_id" is not null;`);
  }

  override down(): void {
    this.addSql(`drop index "workflow_runs_of_origin";`);
    this.addSql(`alter table "workflow_runs" drop column "origin_run_id";`);

    this.addSql(`alter table "workflows" drop column "chain_grew_at";`);
  }
}
