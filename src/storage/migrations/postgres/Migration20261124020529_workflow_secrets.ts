/** Adds the secrets that headers of the posts of workflows take: workflows.secrets. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261124020529_workflow_secrets extends Migration {
  override readonly name = "Migration20261124020529_workflow_secrets";

  override up(): void {
    this.addSql(`alter table "workflows" add "secrets" text null;`);
  }

  override down(): void {
    this.addSql(`alter table "workflows" drop column "secrets";`);
  }
}
