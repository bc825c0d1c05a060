/** Excludes removed webhooks from the index of active ones. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122022032_living_hooks extends Migration {
  override readonly name = "Migration20261122022032_living_hooks";

  override up(): void {
    this.addSql(`drop index \`hooks_of_workspace\`;`);
    this.addSql(`create index "hooks_living" on "hooks" ("workspace_id", "id") where "removed_at" is null;`);
  }

  override down(): void {
    this.addSql(`drop index \`hooks_living\`;`);
    this.addSql(`create index \`hooks_of_workspace\` on \`hooks\` (\`workspace_id\`, \`id\`);`);
  }
}
