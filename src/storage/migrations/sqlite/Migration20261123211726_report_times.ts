/** Payment reports may carry the time of the payment; existing subscriptions were decided by their last arrival. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123211726_report_times extends Migration {
  override readonly name = "Migration20261123211726_report_times";

  override up(): void {
    this.addSql(`alter table \`app_subscriptions\` add column \`decided_at\` datetime null;`);

    this.addSql(`update \`app_subscriptions\` set \`decided_at\` = \`last_report_at\`;`);

    this.addSql(`alter table \`billing_reports\` add column \`occurred_at\` datetime null;`);
  }

  override down(): void {
    this.addSql(`alter table \`app_subscriptions\` drop column \`decided_at\`;`);

    this.addSql(`alter table \`billing_reports\` drop column \`occurred_at\`;`);
  }
}
