/** Marks versions that have a goal, so that a change of a contact without an event finds the runs that it may complete. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122015649_goals_of_versions extends Migration {
  override readonly name = "Migration20261122015649_goals_of_versions";

  override up(): void {
    this.addSql(`alter table \`workflow_versions\` add column \`has_goals\` integer not null default false;`);
    this.addSql(`update "workflow_versions" set "has_goals" = true where "definition" like '%"type":"goal"%';`);
  }

  override down(): void {
    this.addSql(`alter table \`workflow_versions\` drop column \`has_goals\`;`);
  }
}
