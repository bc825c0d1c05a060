/** Adds text indexes of the names of opportunities and tasks, which the worker builds, and keeps the state of all text indexes in one table. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261126033544_record_names extends Migration {
  override readonly name = "Migration20261126033544_record_names";

  override up(): void {
    this.addSql(`create table \`text_indexes\` (\`id\` integer not null primary key autoincrement, \`position\` integer not null default 0, \`built_to\` integer null);`);
    this.addSql(`insert into \`text_indexes\` (\`id\`, \`position\`, \`built_to\`) select \`id\`, \`position\`, \`built_to\` from \`contact_text_index\`;`);
    this.addSql(`drop table \`contact_text_index\`;`);
    for (const [id, table] of [[2, "opportunity_texts"], [3, "task_texts"]] as const) {
      this.addSql(`create virtual table \`${table}\` using fts5(\`text\`, content='', contentless_delete=1, tokenize='trigram case_sensitive 1', detail='none');`);
      this.addSql(`insert into \`text_indexes\` (\`id\`, \`built_to\`) values (${id}, 0);`);
    }
    this.addSql(`create table \`unindexed_names\` (\`id\` integer not null primary key autoincrement, \`index_id\` integer not null, \`location_id\` integer not null, \`record_id\` integer not null);`);
    this.addSql(`create index \`unindexed_names_of_location\` on \`unindexed_names\` (\`index_id\`, \`location_id\`);`);
  }

  override down(): void {
    this.addSql(`create table \`contact_text_index\` (\`id\` integer not null primary key autoincrement, \`position\` integer not null default 0, \`built_to\` integer null);`);
    this.addSql(`insert into \`contact_text_index\` (\`id\`, \`position\`, \`built_to\`) select \`id\`, \`position\`, \`built_to\` from \`text_indexes\` where \`id\` = 1;`);
    for (const table of ["text_indexes", "opportunity_texts", "task_texts", "unindexed_names"])
      this.addSql(`drop table if exists \`${table}\`;`);
  }
}
