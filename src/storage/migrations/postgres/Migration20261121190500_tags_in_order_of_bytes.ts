/** Tags are ordered by the bytes of their folded names, whatever collation the database has. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121190500_tags_in_order_of_bytes extends Migration {
  override readonly name = "Migration20261121190500_tags_in_order_of_bytes";

  override up(): void {
    this.addSql(`alter table "tags" alter column "name_key" type text collate "C";`);
  }

  override down(): void {
    this.addSql(`alter table "tags" alter column "name_key" type text;`);
  }
}
