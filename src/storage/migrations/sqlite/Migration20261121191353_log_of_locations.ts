/** Adds an index of a location's log, and the position up to which payloads are pruned. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121191353_log_of_locations extends Migration {
  override readonly name = "Migration20261121191353_log_of_locations";

  override up(): void {
    this.addSql(`drop index \`events_with_data\`;`);
    this.addSql(`create index \`events_of_location\` on \`events\` (\`location_id\`, \`position\`);`);

    this.addSql(`alter table \`event_log\` add column \`forgotten_position\` integer not null default 0;`);
    // What the last version forgot in the order of time is a beginning of the log, some neighbours of its end aside: those go with it.
    this.addSql(`update event_log set forgotten_position = coalesce((select max(position) from events where data is null), 0);`);
    this.addSql(`update events set data = null where data is not null and position <= (select forgotten_position from event_log);`);
  }

  override down(): void {
    this.addSql(`alter table \`event_log\` drop column \`forgotten_position\`;`);

    this.addSql(`drop index \`events_of_location\`;`);
    this.addSql(`create index "events_with_data" on "events" ("created_at", "id") where "data" is not null;`);
  }
}
