/** Adds keys by which texts are compared: folded by the program, and short enough for an index (src/kit/text-key.ts). */
import { Migration } from "@mikro-orm/migrations";
import { fillTextKeys, restoreCutKeys } from "../text-keys.ts";

export class Migration20261121165250_keys_of_texts extends Migration {
  override readonly name = "Migration20261121165250_keys_of_texts";

  /** After the statements, since no database folds as the program does. */
  readonly fill = fillTextKeys;

  override up(): void {
    this.addSql(`alter table \`tags\` add column \`long_key\` text null;`);

    this.addSql(`drop index \`contacts_feed\`;`);
    this.addSql(`alter table \`contacts\` add column \`first_name_key\` text not null default '';`);
    this.addSql(`alter table \`contacts\` add column \`last_name_key\` text not null default '';`);
    this.addSql(`alter table \`contacts\` add column \`phone_display_key\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`company_key\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`source_key\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`interest_key\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`address1_key\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`city_key\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`state_key\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`zip_key\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`timezone_key\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`external_ref_key\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`long_keys\` text null;`);
  }

  override down(): void {
    for (const statement of restoreCutKeys.sqlite) this.addSql(statement);
    this.addSql(`alter table \`contacts\` drop column \`first_name_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`last_name_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`phone_display_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`company_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`source_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`interest_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`address1_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`city_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`state_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`zip_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`timezone_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`external_ref_key\`;`);
    this.addSql(`alter table \`contacts\` drop column \`long_keys\`;`);
    this.addSql(`create index "contacts_feed" on "contacts" ("location_id", "last_activity_at" desc, "id" desc, "name_key") where "deleted_at" is null;`);

    this.addSql(`alter table \`tags\` drop column \`long_key\`;`);
  }
}
