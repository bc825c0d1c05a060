/** Adds keys by which texts are compared: folded by the program, and short enough for an index (src/kit/text-key.ts). */
import { Migration } from "@mikro-orm/migrations";
import { fillTextKeys, restoreCutKeys } from "../text-keys.ts";

export class Migration20261121165250_keys_of_texts extends Migration {
  override readonly name = "Migration20261121165250_keys_of_texts";

  /** After the statements, since no database folds as the program does. */
  readonly fill = fillTextKeys;

  override up(): void {
    this.addSql(`alter table "tags" add "long_key" text null;`);

    this.addSql(`drop index "contacts_feed";`);
    this.addSql(`alter table "contacts" add "first_name_key" text not null default '', add "last_name_key" text not null default '', add "phone_display_key" text null, add "company_key" text null, add "source_key" text null, add "interest_key" text null, add "address1_key" text null, add "city_key" text null, add "state_key" text null, add "zip_key" text null, add "timezone_key" text null, add "external_ref_key" text null, add "long_keys" text null;`);
  }

  override down(): void {
    for (const statement of restoreCutKeys.postgres) this.addSql(statement);
    this.addSql(`alter table "contacts" drop column "first_name_key", drop column "last_name_key", drop column "phone_display_key", drop column "company_key", drop column "source_key", drop column "interest_key", drop column "address1_key", drop column "city_key", drop column "state_key", drop column "zip_key", drop column "timezone_key", drop column "external_ref_key", drop column "long_keys";`);
    this.addSql(`create index "contacts_feed" on "contacts" ("location_id", "last_activity_at" desc, "id" desc, "name_key") where "deleted_at" is null;`);

    this.addSql(`alter table "tags" drop column "long_key";`);
  }
}
