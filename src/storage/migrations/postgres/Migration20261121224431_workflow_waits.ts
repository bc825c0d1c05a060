/** Adds the start of waits, the order of posts, and the marks of triggers and waits in the log, which start here. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121224431_workflow_waits extends Migration {
  override readonly name = "Migration20261121224431_workflow_waits";

  override up(): void {
    this.addSql(`drop index "workflow_runs_leased";`);
    this.addSql(`alter table "workflow_runs" add "waiting_since" timestamptz(3) null;`);
    this.addSql(`create index "workflow_runs_to_post" on "workflow_runs" ("workflow_id", "leased_until", "id") where "leased_until" is not null;`);
    this.addSql(`insert into event_marks (name, position) select 'workflows', last_position from event_log where id = 1;`);
  }

  override down(): void {
    this.addSql(`delete from event_marks where name = 'workflows';`);
    this.addSql(`drop index "workflow_runs_to_post";`);
    this.addSql(`alter table "workflow_runs" drop column "waiting_since";`);
    this.addSql(`create index "workflow_runs_leased" on "workflow_runs" ("leased_until") where "leased_until" is not null;`);
  }
}
