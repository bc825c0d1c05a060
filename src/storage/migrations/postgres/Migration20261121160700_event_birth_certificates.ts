/** Adds the cause and the time of events, a mark for each follower of the log, and an index of a workspace's log. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121160700_event_birth_certificates extends Migration {
  override readonly name = "Migration20261121160700_event_birth_certificates";

  override up(): void {
    this.addSql(`create table "event_marks" ("id" bigserial primary key, "name" text not null, "position" bigint not null);`);
    this.addSql(`alter table "event_marks" add constraint "event_marks_name" unique ("name");`);

    this.addSql(`alter table "events" add "run_id" bigint null, add "depth" bigint not null default 0, add "occurred_at" timestamptz(3) null;`);
    this.addSql(`create index "events_of_workspace" on "events" ("workspace_id", "position");`);
  }

  override down(): void {
    this.addSql(`drop table if exists "event_marks" cascade;`);

    this.addSql(`drop index "events_of_workspace";`);
    this.addSql(`alter table "events" drop column "run_id", drop column "depth", drop column "occurred_at";`);
  }
}
