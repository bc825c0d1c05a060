/** Adds a text index of the names, addresses and numbers of contacts, which the worker builds; the other one, renamed, loses them row by row as contacts change. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261127235001_names_of_contacts extends Migration {
  override readonly name = "Migration20261127235001_names_of_contacts";

  override up(): void {
    // Under a new name, so that no process of an older version looks for names there.
    this.addSql(`alter table \`contact_texts\` rename to \`contact_other_texts\`;`);
    this.addSql(`create virtual table \`contact_name_texts\` using fts5(\`text\`, content='', contentless_delete=1, tokenize='trigram case_sensitive 1', detail='none');`);
    this.addSql(`insert into \`text_indexes\` (\`id\`, \`built_to\`) values (4, 0);`);
    // In these, texts begin with a line break from now on.
    this.addSql(`update \`text_indexes\` set \`built_to\` = 0 where \`id\` in (2, 3);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`contact_name_texts\`;`);
    this.addSql(`delete from \`text_indexes\` where \`id\` = 4;`);
    this.addSql(`alter table \`contact_other_texts\` rename to \`contact_texts\`;`);
    this.addSql(`update \`text_indexes\` set \`built_to\` = 0 where \`id\` = 1;`);
  }
}
