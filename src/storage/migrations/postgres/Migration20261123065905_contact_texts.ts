/** Adds the state of the text index of contacts. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123065905_contact_texts extends Migration {
  override readonly name = "Migration20261123065905_contact_texts";

  override up(): void {
    this.addSql(`create table "contact_text_index" ("id" bigserial primary key, "position" bigint not null default 0, "built_to" bigint null);`);
    this.addSql(`insert into "contact_text_index" ("id", "built_to") values (1, 0);`);
  }

  override down(): void {
    this.addSql(`drop table if exists "contact_text_index" cascade;`);
  }
}
