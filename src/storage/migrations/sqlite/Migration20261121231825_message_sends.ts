/** The outbound queue of messages, and the transport of channels. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121231825_message_sends extends Migration {
  override readonly name = "Migration20261121231825_message_sends";

  override up(): void {
    this.addSql(`create table \`message_sends\` (\`id\` integer not null primary key autoincrement, \`message_id\` integer not null, \`channel_id\` integer not null, \`attempt\` integer not null default 0, \`fence\` integer not null default 0, \`due_at\` datetime null, \`leased_until\` datetime null, constraint \`message_sends_message_id_foreign\` foreign key (\`message_id\`) references \`messages\` (\`id\`) on delete cascade, constraint \`message_sends_channel_id_foreign\` foreign key (\`channel_id\`) references \`channels\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`message_sends_message\` on \`message_sends\` (\`message_id\`);`);
    this.addSql(`create index "message_sends_new" on "message_sends" ("id") where "due_at" is null and "leased_until" is null;`);
    this.addSql(`create index "message_sends_due" on "message_sends" ("channel_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "message_sends_leased" on "message_sends" ("leased_until") where "leased_until" is not null;`);

    this.addSql(`create table \`channel_queues\` (\`id\` integer not null primary key autoincrement, \`channel_id\` integer not null, \`due_at\` datetime null, \`served_at\` datetime not null, constraint \`channel_queues_channel_id_foreign\` foreign key (\`channel_id\`) references \`channels\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`channel_queues_channel\` on \`channel_queues\` (\`channel_id\`);`);
    this.addSql(`create index "channel_queues_due" on "channel_queues" ("due_at") where "due_at" is not null;`);

    this.addSql(`alter table \`channels\` add column \`transport_url\` text null;`);
    this.addSql(`alter table \`channels\` add column \`transport_secret\` text null;`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`message_sends\`;`);
    this.addSql(`drop table if exists \`channel_queues\`;`);

    this.addSql(`alter table \`channels\` drop column \`transport_url\`;`);
    this.addSql(`alter table \`channels\` drop column \`transport_secret\`;`);
  }
}
