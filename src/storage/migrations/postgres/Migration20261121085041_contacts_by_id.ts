/** An index of the contacts of a location by id, the order of the export. */
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
