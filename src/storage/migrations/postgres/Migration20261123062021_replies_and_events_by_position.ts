/** Replies are marked on runs, and waits for events begin at a position of the log: workflow_runs.has_replied and events_after, instead of last_sent_at. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123062021_replies_and_events_by_position extends Migration {
  override readonly name = "Migration20261123062021_replies_and_events_by_position";

  override up(): void {
    this.addSql(`alter table "workflow_runs" add "has_replied" boolean not null default false, add "events_after" bigint null;`);
    this.addSql(
      `update "workflow_runs" set "has_replied" = true where "status" in ('active', 'waiting') and exists (
        select 1 from "conversations" where "conversations"."contact_id" = "workflow_runs"."contact_id"
          and "conversations"."last_inbound_at" > coalesce("workflow_runs"."last_sent_at", "workflow_runs"."enrolled_at"));`,
    );
    this.addSql(`alter table "workflow_runs" drop column "last_sent_at";`);
  }

  override down(): void {
    this.addSql(`alter table "workflow_runs" drop column "has_replied", drop column "events_after";`);
    this.addSql(`alter table "workflow_runs" add "last_sent_at" timestamptz(3) null;`);
  }
}
