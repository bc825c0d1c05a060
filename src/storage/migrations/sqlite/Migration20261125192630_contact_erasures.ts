/** The table of erasures: contacts that are forgotten, and the receipts. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125192630_contact_erasures extends Migration {
  override readonly name = "Migration20261125192630_contact_erasures";

  override up(): void {
    this.addSql(`create table \`contact_erasures\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`contact_id\` integer not null, \`contact_ids\` text not null, \`step\` text not null, \`place\` integer not null default 0, \`reached\` integer not null default 0, \`removed\` text not null, \`started_at\` datetime not null, \`finished_at\` datetime null, constraint \`contact_erasures_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete cascade, constraint \`contact_erasures_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete cascade);`);
    this.addSql(`create index "contact_erasures_running" on "contact_erasures" ("id") where "finished_at" is null;`);
    this.addSql(`create unique index \`contact_erasures_contact\` on \`contact_erasures\` (\`contact_id\`);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`contact_erasures\`;`);
  }
}
