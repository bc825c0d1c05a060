/** Adds the text index of contacts by trigrams, and its state; the worker builds it. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123065904_contact_texts extends Migration {
  override readonly name = "Migration20261123065904_contact_texts";

  override up(): void {
    this.addSql(`create table \`contact_text_index\` (\`id\` integer not null primary key autoincrement, \`position\` integer not null default 0, \`built_to\` integer null);`);
    this.addSql(`insert into \`contact_text_index\` (\`id\`, \`built_to\`) values (1, 0);`);
    // Texts are folded before: neither case nor diacritics are left to the tokenizer.
    this.addSql(`create virtual table \`contact_texts\` using fts5(\`text\`, content='', contentless_delete=1, tokenize='trigram case_sensitive 1', detail='none');`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`contact_texts\`;`);
    this.addSql(`drop table if exists \`contact_text_index\`;`);
  }
}
