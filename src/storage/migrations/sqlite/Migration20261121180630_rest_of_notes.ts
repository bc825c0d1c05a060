/** Moves the part of a long note that contacts do not show into a column of its own. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121180630_rest_of_notes extends Migration {
  override readonly name = "Migration20261121180630_rest_of_notes";

  override up(): void {
    this.addSql(`alter table \`notes\` add column \`body_rest\` text null;`);
    this.addSql(
      `update \`notes\` set \`body_rest\` = substr(\`body\`, 4097), \`body\` = substr(\`body\`, 1, 4096) where length(\`body\`) > 4096;`,
    );
  }

  override down(): void {
    this.addSql(`update \`notes\` set \`body\` = \`body\` || \`body_rest\` where \`body_rest\` is not null;`);
    this.addSql(`alter table \`notes\` drop column \`body_rest\`;`);
  }
}
