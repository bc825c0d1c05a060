/** Renumbers the text indexes of contacts, as on PostgreSQL, where their rows are other ones; here they stay as they are. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261128160001_lines_of_contacts extends Migration {
  override readonly name = "Migration20261128160001_lines_of_contacts";

  override up(): void {
    this.addSql(`update \`text_indexes\` set \`id\` = 5 where \`id\` = 4;`);
    this.addSql(`update \`text_indexes\` set \`id\` = 6 where \`id\` = 1;`);
  }

  override down(): void {
    this.addSql(`update \`text_indexes\` set \`id\` = 4 where \`id\` = 5;`);
    this.addSql(`update \`text_indexes\` set \`id\` = 1 where \`id\` = 6;`);
  }
}
