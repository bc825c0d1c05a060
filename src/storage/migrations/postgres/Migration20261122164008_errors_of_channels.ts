/** Adds why a channel cannot deliver. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122164008_errors_of_channels extends Migration {
  override readonly name = "Migration20261122164008_errors_of_channels";

  override up(): void {
    this.addSql(`alter table "channels" add "error" text null;`);
  }

  override down(): void {
    this.addSql(`alter table "channels" drop column "error";`);
  }
}
