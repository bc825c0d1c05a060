/** Adds the text index of contacts by trigrams, where the extension pg_trgm may be installed; the worker builds it. */
import { Migration } from "@mikro-orm/migrations";
import { createTrigrams, hasTrigrams } from "../../reading/trigram-extension.ts";

export class Migration20261123160001_texts_by_trigram extends Migration {
  override readonly name = "Migration20261123160001_texts_by_trigram";

  override up(): void {
    this.addSql(`create table "contact_texts" ("id" bigint primary key, "text" text not null);`);
    this.addSql(createTrigrams("contact_texts"));
    this.addSql(`delete from "contact_text_index" where not (${hasTrigrams("contact_texts")});`);
  }

  override down(): void {
    // The extension stays: other programs may use it.
    this.addSql(`drop table if exists "contact_texts";`);
    this.addSql(`insert into "contact_text_index" ("id", "built_to") values (1, 0) on conflict do nothing;`);
  }
}
