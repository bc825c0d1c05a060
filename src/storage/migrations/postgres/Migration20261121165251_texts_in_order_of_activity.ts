/** Makes the index of the contact list a covering index for substring searches: it holds the keys of all texts. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121165251_texts_in_order_of_activity extends Migration {
  override readonly name = "Migration20261121165251_texts_in_order_of_activity";

  override up(): void {
    this.addSql(`create index "contacts_by_activity_14" on "contacts" ("location_id", "last_activity_at" desc, "id" desc, "name_key", "first_name_key", "last_name_key", "email_key", "phone_display_key", "company_key", "source_key", "interest_key", "address1_key", "city_key", "state_key", "zip_key", "timezone_key", "external_ref_key") where "deleted_at" is null;`);
    this.addSql(`create index "contacts_with_long_keys" on "contacts" ("location_id", "id") where "deleted_at" is null and "long_keys" is not null;`);
  }

  override down(): void {
    this.addSql(`drop index "contacts_by_activity_14";`);
    this.addSql(`drop index "contacts_with_long_keys";`);
  }
}
