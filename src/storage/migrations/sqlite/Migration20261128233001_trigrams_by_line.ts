/** Renumbers the text indexes of contacts, as on PostgreSQL, where they are new; here they stay as they are. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261128233001_trigrams_by_line extends Migration {
  override readonly name = "Migration20261128233001_trigrams_by_line";

  override up(): void {
    this.addSql(`update \`text_indexes\` set \`id\` = 7 where \`id\` = 5;`);
    this.addSql(`update \`text_indexes\` set \`id\` = 8 where \`id\` = 6;`);
  }

  override down(): void {
    this.addSql(`update \`text_indexes\` set \`id\` = 5 where \`id\` = 7;`);
    this.addSql(`update \`text_indexes\` set \`id\` = 6 where \`id\` = 8;`);
  }
}
