/** Adds the custom values of opportunities. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125202353_opportunity_values extends Migration {
  override readonly name = "Migration20261125202353_opportunity_values";

  override up(): void {
    this.addSql(`create table "opportunity_values" ("id" bigserial primary key, "opportunity_id" bigint not null, "field_id" bigint not null, "location_id" bigint not null, "value" text not null, "key" text collate "C" not null, "long_key" text null);`);
    this.addSql(`create index "opportunity_values_by_key" on "opportunity_values" ("field_id", "location_id", "key", "opportunity_id");`);
    this.addSql(`alter table "opportunity_values" add constraint "opportunity_values_once" unique ("opportunity_id", "field_id", "key");`);

    this.addSql(`alter table "opportunity_values" add constraint "opportunity_values_opportunity_id_foreign" foreign key ("opportunity_id") references "opportunities" ("id") on delete cascade;`);
    this.addSql(`alter table "opportunity_values" add constraint "opportunity_values_field_id_foreign" foreign key ("field_id") references "custom_fields" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "opportunity_values" cascade;`);
  }
}
