/** One-time links of the kind `setup`, by which the first owner finishes the setup in the browser. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122224310_setup_links extends Migration {
  override readonly name = "Migration20261122224310_setup_links";

  override up(): void {
    this.addSql(`alter table "account_links" drop constraint "account_links_kind_check";`);
    this.addSql(`alter table "account_links" add constraint "account_links_kind_check" check ("kind" in ('invitation', 'reset', 'setup'));`);
  }

  override down(): void {
    this.addSql(`delete from "account_links" where "kind" = 'setup';`);
    this.addSql(`alter table "account_links" drop constraint "account_links_kind_check";`);
    this.addSql(`alter table "account_links" add constraint "account_links_kind_check" check ("kind" in ('invitation', 'reset'));`);
  }
}
