/** Adds merges of contacts: which contact stands for one that is gone. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125152616_contact_merges extends Migration {
  override readonly name = "Migration20261125152616_contact_merges";

  override up(): void {
    this.addSql(`create table \`contact_merges\` (\`id\` integer not null primary key autoincrement, \`contact_id\` integer not null, \`merged_contact_id\` integer not null, \`started_at\` datetime not null, \`finished_at\` datetime null, constraint \`contact_merges_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete cascade, constraint \`contact_merges_merged_contact_id_foreign\` foreign key (\`merged_contact_id\`) references \`contacts\` (\`id\`) on delete cascade);`);
    this.addSql(`create index \`contact_merges_of_contact\` on \`contact_merges\` (\`contact_id\`, \`id\`);`);
    this.addSql(`create index "contact_merges_running" on "contact_merges" ("id") where "finished_at" is null;`);
    this.addSql(`create unique index \`contact_merges_merged\` on \`contact_merges\` (\`merged_contact_id\`);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`contact_merges\`;`);
  }
}
