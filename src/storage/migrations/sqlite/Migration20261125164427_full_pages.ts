/** Turns the indexes of the contact list round, to ascending order, so that their pages are full. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125164427_full_pages extends Migration {
  override readonly name = "Migration20261125164427_full_pages";

  override up(): void {
    this.addSql(`drop index \`contacts_by_activity_14\`;`);
    this.addSql(`drop index \`contacts_by_owner\`;`);
    this.addSql(`create index "contacts_in_order_of_activity_14" on "contacts" ("location_id", "last_activity_at", "id", "name_key", "first_name_key", "last_name_key", "email_key", "phone_display_key", "company_key", "source_key", "interest_key", "address1_key", "city_key", "state_key", "zip_key", "timezone_key", "external_ref_key") where "deleted_at" is null;`);
    this.addSql(`create index "contacts_of_owner" on "contacts" ("location_id", "owner_id", "last_activity_at", "id") where "deleted_at" is null;`);
  }

  override down(): void {
    this.addSql(`drop index \`contacts_in_order_of_activity_14\`;`);
    this.addSql(`drop index \`contacts_of_owner\`;`);
    this.addSql(`create index "contacts_by_activity_14" on "contacts" ("location_id", "last_activity_at" desc, "id" desc, "name_key", "first_name_key", "last_name_key", "email_key", "phone_display_key", "company_key", "source_key", "interest_key", "address1_key", "city_key", "state_key", "zip_key", "timezone_key", "external_ref_key") where "deleted_at" is null;`);
    this.addSql(`create index "contacts_by_owner" on "contacts" ("location_id", "owner_id", "last_activity_at" desc, "id" desc) where "deleted_at" is null;`);
  }
}
