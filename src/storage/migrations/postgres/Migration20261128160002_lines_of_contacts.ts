/** Gives the text indexes of contacts a line for each text, and the location: the worker builds both anew. */
import { Migration } from "@mikro-orm/migrations";
import { hasTrigrams } from "../../reading/trigram-extension.ts";

const tables = ["contact_name_texts", "contact_other_texts"];

export class Migration20261128160002_lines_of_contacts extends Migration {
  override readonly name = "Migration20261128160002_lines_of_contacts";

  override up(): void {
    for (const table of tables) {
      this.addSql(`truncate "${table}";`);
      this.addSql(`alter table "${table}" add column "location_id" bigint not null;`);
    }
    // Under new numbers: a process of an older version finds no index, and scans.
    this.addSql(`delete from "text_indexes" where "id" in (1, 4);`);
    this.addSql(`insert into "text_indexes" ("id", "built_to") select 5, 0 where ${hasTrigrams("contact_name_texts")};`);
    this.addSql(`insert into "text_indexes" ("id", "built_to") select 6, 0 where ${hasTrigrams("contact_other_texts")};`);
  }

  override down(): void {
    for (const table of tables) {
      this.addSql(`truncate "${table}";`);
      this.addSql(`alter table "${table}" drop column "location_id";`);
    }
    this.addSql(`delete from "text_indexes" where "id" in (5, 6);`);
    this.addSql(`insert into "text_indexes" ("id", "built_to") select 4, 0 where ${hasTrigrams("contact_name_texts")};`);
    this.addSql(`insert into "text_indexes" ("id", "built_to") select 1, 0 where ${hasTrigrams("contact_other_texts")};`);
  }
}
