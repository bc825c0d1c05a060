/** Email channels receive from IMAP mailboxes. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123031159_mailboxes extends Migration {
  override readonly name = "Migration20261123031159_mailboxes";

  override up(): void {
    this.addSql(`create table \`mailboxes\` (\`id\` integer not null primary key autoincrement, \`channel_id\` integer not null, \`url\` text not null, \`password\` text not null, \`move_to\` text null, \`since\` datetime not null, \`uid_validity\` text null, \`last_uid\` integer not null default 0, \`failures\` integer not null default 0, \`error\` text null, \`due_at\` datetime not null, \`leased_until\` datetime null, \`leased_by\` integer null, \`fence\` integer not null default 0, constraint \`mailboxes_channel_id_foreign\` foreign key (\`channel_id\`) references \`channels\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`mailboxes_channel\` on \`mailboxes\` (\`channel_id\`);`);
    this.addSql(`create index \`mailboxes_due\` on \`mailboxes\` (\`due_at\`, \`id\`);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`mailboxes\`;`);
  }
}
