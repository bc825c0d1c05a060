/** A FIFO queue per conversation: only its oldest unsent message may be sent. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122155558_lines_of_messages extends Migration {
  override readonly name = "Migration20261122155558_lines_of_messages";

  override up(): void {
    // SQLite adds no column that must have a value: the table is made anew.
    this.addSql(`create table \`message_lines\` (\`id\` integer not null primary key autoincrement, \`message_id\` integer not null, \`channel_id\` integer not null, \`conversation_id\` integer not null, \`at_head\` integer not null, \`attempt\` integer not null default 0, \`fence\` integer not null default 0, \`due_at\` datetime null, \`leased_until\` datetime null, constraint \`message_sends_message_id_foreign\` foreign key (\`message_id\`) references \`messages\` (\`id\`) on delete cascade, constraint \`message_sends_channel_id_foreign\` foreign key (\`channel_id\`) references \`channels\` (\`id\`) on delete cascade, constraint \`message_sends_conversation_id_foreign\` foreign key (\`conversation_id\`) references \`conversations\` (\`id\`) on delete cascade);`);
    this.addSql(`insert into message_lines (id, message_id, channel_id, conversation_id, at_head, attempt, fence, due_at, leased_until)
      select id, message_id, channel_id, conversation_id, is_first, attempt, fence, iif(is_first, due_at, null), iif(is_first, leased_until, null)
      from (select message_sends.*, messages.conversation_id,
          row_number() over (partition by messages.conversation_id order by message_sends.id) = 1 as is_first
        from message_sends join messages on messages.id = message_sends.message_id);`);
    this.addSql(`drop table \`message_sends\`;`);
    this.addSql(`alter table \`message_lines\` rename to \`message_sends\`;`);
    this.addSql(`create unique index \`message_sends_message\` on \`message_sends\` (\`message_id\`);`);
    this.addSql(`create index \`message_sends_of_conversation\` on \`message_sends\` (\`conversation_id\`, \`id\`);`);
    this.addSql(`create unique index "message_sends_head" on "message_sends" ("conversation_id") where "at_head" = true;`);
    this.addSql(`create index "message_sends_unqueued" on "message_sends" ("id") where "at_head" = true and "due_at" is null and "leased_until" is null;`);
    this.addSql(`create index "message_sends_due" on "message_sends" ("channel_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "message_sends_leased" on "message_sends" ("leased_until") where "leased_until" is not null;`);
  }

  override down(): void {
    this.addSql(`create table \`message_lines\` (\`id\` integer not null primary key autoincrement, \`message_id\` integer not null, \`channel_id\` integer not null, \`attempt\` integer not null default 0, \`fence\` integer not null default 0, \`due_at\` datetime null, \`leased_until\` datetime null, constraint \`message_sends_message_id_foreign\` foreign key (\`message_id\`) references \`messages\` (\`id\`) on delete cascade, constraint \`message_sends_channel_id_foreign\` foreign key (\`channel_id\`) references \`channels\` (\`id\`) on delete cascade);`);
    this.addSql(`insert into message_lines (id, message_id, channel_id, attempt, fence, due_at, leased_until)
      select id, message_id, channel_id, attempt, fence, due_at, leased_until from message_sends;`);
    this.addSql(`drop table \`message_sends\`;`);
    this.addSql(`alter table \`message_lines\` rename to \`message_sends\`;`);
    this.addSql(`create unique index \`message_sends_message\` on \`message_sends\` (\`message_id\`);`);
    this.addSql(`create index "message_sends_new" on "message_sends" ("id") where "due_at" is null and "leased_until" is null;`);
    this.addSql(`create index "message_sends_due" on "message_sends" ("channel_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "message_sends_leased" on "message_sends" ("leased_until") where "leased_until" is not null;`);
  }
}
