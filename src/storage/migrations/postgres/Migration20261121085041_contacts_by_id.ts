/** The export walks the contacts of a location by id: an index that gives them in that order. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121085041_contacts_by_id extends Migration {
  override readonly name = "Migration20261121085041_contacts_by_id";

  override up(): void {
    this.addSql(`create index "contacts_by_id" on "contacts" ("location_id", "id") where "deleted_at" is null;`);
  }

  override down(): void {
    this.addSql(`drop index "contacts_by_id";`);
  }
}
