/** Start positions of webhooks and triggers in the log replace ids, which are assigned before the commit. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122063435_beginnings_by_position extends Migration {
  override readonly name = "Migration20261122063435_beginnings_by_position";

  override up(): void {
    this.addSql(`alter table \`workflows\` add column \`after_position\` integer not null default 0;`);

    this.addSql(`alter table \`hooks\` rename column \`after_event_id\` to \`after_position\`;`);
    // Just before the first event that the webhook has not received. Events that committed late have later positions, however low their ids. `+ 0` forces the index of positions.
    this.addSql(`update hooks set after_position = coalesce(
      (select position - 1 from events where position > (select position from event_marks where name = 'webhooks')
        and id + 0 > hooks.after_position order by position limit 1),
      (select last_position from event_log where id = 1) + (select count(*) from events where position is null and id <= hooks.after_position));`);
    // Just before the first event after its first publication. When it got its trigger is not recorded, and an event that it has not handled yet must not be skipped.
    this.addSql(`update workflows set after_position = coalesce(
      (select position - 1 from events where position > (select position from event_marks where name = 'workflows')
        and created_at >= (select min(created_at) from workflow_versions where workflow_id = workflows.id) order by position limit 1),
      (select last_position from event_log where id = 1)) where trigger_event is not null;`);
  }

  override down(): void {
    this.addSql(`update hooks set after_position =
      coalesce((select id from events where position <= hooks.after_position order by position desc limit 1), 0);`);
    this.addSql(`alter table \`hooks\` rename column \`after_position\` to \`after_event_id\`;`);

    this.addSql(`alter table \`workflows\` drop column \`after_position\`;`);
  }
}
