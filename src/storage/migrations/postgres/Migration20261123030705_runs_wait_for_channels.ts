/** Runs wait for channels: the wait reason `channel`, and workflow_runs.awaited_channel_id. Undone, such runs are due at once. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123030705_runs_wait_for_channels extends Migration {
  override readonly name = "Migration20261123030705_runs_wait_for_channels";

  override up(): void {
    this.addSql(`alter table "workflow_runs" drop constraint "workflow_runs_wait_reason_check";`);
    this.addSql(`alter table "workflow_runs" add "awaited_channel_id" bigint null;`);
    this.addSql(`create index "workflow_runs_by_awaited_channel" on "workflow_runs" ("awaited_channel_id", "id") where "awaited_channel_id" is not null and "due_at" is null;`);
    this.addSql(`alter table "workflow_runs" add constraint "workflow_runs_wait_reason_check" check ("wait_reason" in ('none', 'delay', 'until', 'reply', 'event', 'channel'));`);
  }

  override down(): void {
    this.addSql(
      `update "workflow_runs" set "status" = 'active', "wait_reason" = 'none', "waiting_since" = null, "due_at" = "enrolled_at" where "wait_reason" = 'channel';`,
    );
    this.addSql(`drop index "workflow_runs_by_awaited_channel";`);
    this.addSql(`alter table "workflow_runs" drop constraint "workflow_runs_wait_reason_check";`);
    this.addSql(`alter table "workflow_runs" drop column "awaited_channel_id";`);
    this.addSql(`alter table "workflow_runs" add constraint "workflow_runs_wait_reason_check" check ("wait_reason" in ('none', 'delay', 'until', 'reply', 'event'));`);
  }
}
