/** Indexes the texts of contacts by line: the worker builds both text indexes anew. */
import { Migration } from "@mikro-orm/migrations";
import { createTrigrams, hasTrigrams } from "../../reading/trigram-extension.ts";
import { linesOf } from "../../reading/trigram-lines.ts";

/** Each table with its lines, and its index under the old and the new number. */
const tables = [
  { table: "contact_name_texts", lines: 6, old: 5, id: 7 },
  { table: "contact_other_texts", lines: 9, old: 6, id: 8 },
];

export class Migration20261128233002_trigrams_by_line extends Migration {
  override readonly name = "Migration20261128233002_trigrams_by_line";

  override up(): void {
    for (const { table, lines, old, id } of tables) {
      this.addSql(`truncate "${table}";`);
      this.addSql(`drop index if exists "${table}_by_trigram";`);
      this.addSql(createTrigrams(table, linesOf(lines)));
      // Under new numbers: a process of an older version finds no index, and scans.
      this.addSql(`delete from "text_indexes" where "id" = ${old};`);
      this.addSql(`insert into "text_indexes" ("id", "built_to") select ${id}, 0 where ${hasTrigrams(table)};`);
    }
  }

  override down(): void {
    for (const { table, old, id } of tables) {
      this.addSql(`truncate "${table}";`);
      this.addSql(`drop index if exists "${table}_by_trigram";`);
      this.addSql(createTrigrams(table));
      this.addSql(`delete from "text_indexes" where "id" = ${id};`);
      this.addSql(`insert into "text_indexes" ("id", "built_to") select ${old}, 0 where ${hasTrigrams(table)};`);
    }
  }
}
