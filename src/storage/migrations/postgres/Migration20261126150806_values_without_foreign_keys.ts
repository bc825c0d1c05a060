/** Drops the foreign keys of custom values to contacts and fields, and of the values of opportunities to fields (ADR 86). */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261126150806_values_without_foreign_keys extends Migration {
  override readonly name = "Migration20261126150806_values_without_foreign_keys";

  override up(): void {
    this.addSql(`alter table "opportunity_values" drop constraint "opportunity_values_field_id_foreign";`);

    this.addSql(`alter table "custom_values" drop constraint "custom_values_contact_id_foreign";`);
    this.addSql(`alter table "custom_values" drop constraint "custom_values_field_id_foreign";`);
  }

  override down(): void {
    this.addSql(`alter table "custom_values" add constraint "custom_values_contact_id_foreign" foreign key ("contact_id") references "contacts" ("id") on delete cascade;`);
    this.addSql(`alter table "custom_values" add constraint "custom_values_field_id_foreign" foreign key ("field_id") references "custom_fields" ("id") on delete cascade;`);

    this.addSql(`alter table "opportunity_values" add constraint "opportunity_values_field_id_foreign" foreign key ("field_id") references "custom_fields" ("id") on delete cascade;`);
  }
}
