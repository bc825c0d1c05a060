/** Webhooks and triggers begin where the log stood, by position: ids are given before the commit, and tell nothing of what comes later. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122063435_beginnings_by_position extends Migration {
  override readonly name = "Migration20261122063435_beginnings_by_position";

  override up(): void {
    this.addSql(`alter table "workflows" add "after_position" bigint not null default 0;`);

    this.addSql(`alter table "hooks" rename column "after_event_id" to "after_position";`);
    // What waits for its position then gets it in front of what came after.
    this.addSql(`update hooks set after_position =
      coalesce((select position from events where id <= hooks.after_position and position is not null order by id desc limit 1), 0)
      + (select count(*) from events where position is null and id <= hooks.after_position);`);
  }

  override down(): void {
    this.addSql(`update hooks set after_position =
      coalesce((select id from events where position <= hooks.after_position order by position desc limit 1), 0);`);
    this.addSql(`alter table "hooks" rename column "after_position" to "after_event_id";`);

    this.addSql(`alter table "workflows" drop column "after_position";`);
  }
}
