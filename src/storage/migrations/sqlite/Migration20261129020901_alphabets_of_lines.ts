/** Indexes the texts of contacts by line, in alphabets: the worker builds both text indexes anew. The program merges the segments of all text indexes. */
import { Migration } from "@mikro-orm/migrations";
import { mergingByItself, mergingByProgram } from "../../reading/trigram-segments.ts";

const indexes = ["contact_name_texts", "contact_other_texts", "opportunity_texts", "task_texts"];

export class Migration20261129020901_alphabets_of_lines extends Migration {
  override readonly name = "Migration20261129020901_alphabets_of_lines";

  // Under new numbers: a process of an older version finds no index, and scans. The first batch of a build empties the index.
  override up(): void {
    this.addSql(`delete from \`text_indexes\` where \`id\` in (7, 8);`);
    this.addSql(`insert into \`text_indexes\` (\`id\`, \`built_to\`) values (9, 0), (10, 0);`);
    for (const statement of indexes.flatMap(mergingByProgram)) this.addSql(statement);
  }

  override down(): void {
    this.addSql(`delete from \`text_indexes\` where \`id\` in (9, 10);`);
    this.addSql(`insert into \`text_indexes\` (\`id\`, \`built_to\`) values (7, 0), (8, 0);`);
    for (const statement of indexes.flatMap(mergingByItself)) this.addSql(statement);
  }
}
