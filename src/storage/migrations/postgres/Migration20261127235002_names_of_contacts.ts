/** Adds a text index of the names, addresses and numbers of contacts, which the worker builds; the other one, renamed, loses them row by row as contacts change. */
import { Migration } from "@mikro-orm/migrations";
import { createTrigrams, hasTrigrams } from "../../reading/trigram-extension.ts";

export class Migration20261127235002_names_of_contacts extends Migration {
  override readonly name = "Migration20261127235002_names_of_contacts";

  override up(): void {
    // Under a new name, so that no process of an older version looks for names there.
    this.addSql(`alter table "contact_texts" rename to "contact_other_texts";`);
    this.addSql(`alter index if exists "contact_texts_by_trigram" rename to "contact_other_texts_by_trigram";`);
    this.addSql(`create table "contact_name_texts" ("id" bigint primary key, "text" text not null);`);
    this.addSql(createTrigrams("contact_name_texts"));
    this.addSql(`insert into "text_indexes" ("id", "built_to") select 4, 0 where ${hasTrigrams("contact_name_texts")};`);
    // In these, texts begin with a line break from now on.
    this.addSql(`update "text_indexes" set "built_to" = 0 where "id" in (2, 3);`);
  }

  override down(): void {
    this.addSql(`drop table if exists "contact_name_texts";`);
    this.addSql(`delete from "text_indexes" where "id" = 4;`);
    this.addSql(`alter table "contact_other_texts" rename to "contact_texts";`);
    this.addSql(`alter index if exists "contact_other_texts_by_trigram" rename to "contact_texts_by_trigram";`);
    this.addSql(`update "text_indexes" set "built_to" = 0 where "id" = 1;`);
  }
}
