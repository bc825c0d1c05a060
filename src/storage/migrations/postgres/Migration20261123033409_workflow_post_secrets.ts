/** Adds the secrets that sign the posts of workflows: workflows.post_secret, old_post_secret, old_post_secret_until. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123033409_workflow_post_secrets extends Migration {
  override readonly name = "Migration20261123033409_workflow_post_secrets";

  override up(): void {
    this.addSql(`alter table "workflows" add "post_secret" text null, add "old_post_secret" text null, add "old_post_secret_until" timestamptz(3) null;`);
  }

  override down(): void {
    this.addSql(`alter table "workflows" drop column "post_secret", drop column "old_post_secret", drop column "old_post_secret_until";`);
  }
}
