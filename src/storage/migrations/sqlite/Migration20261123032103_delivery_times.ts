/** Adds indexes of deliveries: by time, for bars of each hour, and of the delivered ones. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123032103_delivery_times extends Migration {
  override readonly name = "Migration20261123032103_delivery_times";

  override up(): void {
    this.addSql(`create index \`deliveries_by_time\` on \`deliveries\` (\`hook_id\`, \`created_at\`);`);
    this.addSql(`create index "deliveries_delivered" on "deliveries" ("hook_id", "id") where "state" = 'delivered';`);
  }

  override down(): void {
    this.addSql(`drop index \`deliveries_by_time\`;`);
    this.addSql(`drop index \`deliveries_delivered\`;`);
  }
}
