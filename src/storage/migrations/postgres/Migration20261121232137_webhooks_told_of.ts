/** Adds the time at which the owners of a failing webhook were notified. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121232137_webhooks_told_of extends Migration {
  override readonly name = "Migration20261121232137_webhooks_told_of";

  override up(): void {
    this.addSql(`alter table "hooks" add "failing_told_at" timestamptz(3) null;`);
  }

  override down(): void {
    this.addSql(`alter table "hooks" drop column "failing_told_at";`);
  }
}
