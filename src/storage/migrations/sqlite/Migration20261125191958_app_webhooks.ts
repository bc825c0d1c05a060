/** Adds the webhooks of apps, which are told of installs and subscriptions. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125191958_app_webhooks extends Migration {
  override readonly name = "Migration20261125191958_app_webhooks";

  override up(): void {
    this.addSql(`alter table \`hooks\` add column \`owner_app_id\` integer null;`);
    this.addSql(`create unique index "hooks_own_of_app" on "hooks" ("owner_app_id") where "owner_app_id" is not null and "removed_at" is null;`);
  }

  override down(): void {
    this.addSql(`drop index \`hooks_own_of_app\`;`);
    this.addSql(`alter table \`hooks\` drop column \`owner_app_id\`;`);
  }
}
