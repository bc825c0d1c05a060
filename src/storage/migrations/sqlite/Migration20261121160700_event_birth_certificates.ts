/** Adds the cause and the time of events, a mark for each follower of the log, and an index of a workspace's log. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121160700_event_birth_certificates extends Migration {
  override readonly name = "Migration20261121160700_event_birth_certificates";

  override up(): void {
    this.addSql(`create table \`event_marks\` (\`id\` integer not null primary key autoincrement, \`name\` text not null, \`position\` integer not null);`);
    this.addSql(`create unique index \`event_marks_name\` on \`event_marks\` (\`name\`);`);

    this.addSql(`alter table \`events\` add column \`run_id\` integer null;`);
    this.addSql(`alter table \`events\` add column \`depth\` integer not null default 0;`);
    this.addSql(`alter table \`events\` add column \`occurred_at\` datetime null;`);
    this.addSql(`create index \`events_of_workspace\` on \`events\` (\`workspace_id\`, \`position\`);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`event_marks\`;`);

    this.addSql(`drop index \`events_of_workspace\`;`);
    this.addSql(`alter table \`events\` drop column \`run_id\`;`);
    this.addSql(`alter table \`events\` drop column \`depth\`;`);
    this.addSql(`alter table \`events\` drop column \`occurred_at\`;`);
  }
}
