/** One active install of an app per location, whose scopes limit its tokens and webhooks; of two that concurrent consents left, the newer one stays. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122161813_living_installs extends Migration {
  override readonly name = "Migration20261122161813_living_installs";

  override up(): void {
    this.addSql(`update app_installs set uninstalled_at = installed_at where uninstalled_at is null and exists (
      select 1 from app_installs as newer where newer.location_id = app_installs.location_id and newer.app_id = app_installs.app_id
        and newer.uninstalled_at is null and newer.id > app_installs.id);`);
    this.addSql(`create unique index "app_installs_living" on "app_installs" ("location_id", "app_id") where "uninstalled_at" is null;`);
  }

  override down(): void {
    this.addSql(`drop index \`app_installs_living\`;`);
  }
}
