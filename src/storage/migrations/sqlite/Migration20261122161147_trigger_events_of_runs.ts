/** Adds the event that started a run. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122161147_trigger_events_of_runs extends Migration {
  override readonly name = "Migration20261122161147_trigger_events_of_runs";

  override up(): void {
    this.addSql(`alter table \`workflow_runs\` add column \`trigger_event\` text null;`);
    // Existing runs have no record of it: one whose version has a trigger counts as started by it, so that its context is not shown without the scope.
    this.addSql(`update workflow_runs set trigger_event = (select json_extract(workflow_versions.definition, '$.trigger.event') from workflow_versions
      where workflow_versions.id = workflow_runs.version_id);`);
  }

  override down(): void {
    this.addSql(`alter table \`workflow_runs\` drop column \`trigger_event\`;`);
  }
}
