/** Renumbers the text indexes of contacts, as on SQLite, where they are built anew; here they stay as they are. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261129020902_alphabets_of_lines extends Migration {
  override readonly name = "Migration20261129020902_alphabets_of_lines";

  override up(): void {
    this.addSql(`update "text_indexes" set "id" = "id" + 2 where "id" in (7, 8);`);
  }

  override down(): void {
    this.addSql(`update "text_indexes" set "id" = "id" - 2 where "id" in (9, 10);`);
  }
}
