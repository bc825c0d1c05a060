/** Conversations and messages, and the indexes that match an unknown sender to contacts. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121195243_conversations extends Migration {
  override readonly name = "Migration20261121195243_conversations";

  override up(): void {
    this.addSql(`create table \`conversations\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`contact_id\` integer null, \`contact_key\` text not null default '', \`channel_id\` integer not null, \`kind\` text check (\`kind\` in ('call', 'email', 'sms', 'whatsapp', 'messenger', 'instagram', 'webchat', 'google')) not null, \`status\` text check (\`status\` in ('open', 'snoozed', 'closed')) not null, \`snoozed_until\` datetime null, \`assignee_id\` integer null, \`subject\` text null, \`preview\` text null, \`last_message_at\` datetime not null, \`last_inbound_at\` datetime null, \`unread_count\` integer not null default 0, \`sender_key\` text null, \`possible_match_id\` integer null, \`created_at\` datetime not null, constraint \`conversations_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict, constraint \`conversations_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete restrict, constraint \`conversations_channel_id_foreign\` foreign key (\`channel_id\`) references \`channels\` (\`id\`) on delete restrict, constraint \`conversations_assignee_id_foreign\` foreign key (\`assignee_id\`) references \`users\` (\`id\`) on delete set null, constraint \`conversations_possible_match_id_foreign\` foreign key (\`possible_match_id\`) references \`contacts\` (\`id\`) on delete set null);`);
    this.addSql(`create index "conversations_by_message" on "conversations" ("location_id", "last_message_at" desc, "id" desc, "status", "kind", "assignee_id", "contact_key");`);
    this.addSql(`create index "conversations_by_status" on "conversations" ("location_id", "status", "last_message_at" desc, "id" desc, "kind", "assignee_id", "contact_key");`);
    this.addSql(`create index "conversations_by_assignee" on "conversations" ("location_id", "assignee_id", "last_message_at" desc, "id" desc, "status", "kind") where "assignee_id" is not null;`);
    this.addSql(`create index "conversations_of_contact" on "conversations" ("contact_id", "last_message_at" desc, "id" desc, "channel_id", "status");`);
    this.addSql(`create index "conversations_of_sender" on "conversations" ("channel_id", "sender_key", "last_message_at" desc, "id" desc) where "sender_key" is not null;`);
    this.addSql(`create index "conversations_by_snooze" on "conversations" ("snoozed_until", "id") where "snoozed_until" is not null;`);

    this.addSql(`create table \`messages\` (\`id\` integer not null primary key autoincrement, \`conversation_id\` integer not null, \`channel_id\` integer not null, \`direction\` text check (\`direction\` in ('inbound', 'outbound')) not null, \`kind\` text check (\`kind\` in ('text', 'note', 'system', 'call')) not null, \`subject\` text null, \`from_address\` text null, \`to_address\` text null, \`status\` text check (\`status\` in ('received', 'queued', 'sent', 'delivered', 'read', 'failed')) not null, \`error\` text null, \`author_id\` integer null, \`external_id\` text null, \`ai_generated\` integer not null default false, \`sent_at\` datetime null, \`delivered_at\` datetime null, \`created_at\` datetime not null, \`body\` text null, \`html\` text null, constraint \`messages_conversation_id_foreign\` foreign key (\`conversation_id\`) references \`conversations\` (\`id\`) on delete cascade, constraint \`messages_channel_id_foreign\` foreign key (\`channel_id\`) references \`channels\` (\`id\`) on delete restrict, constraint \`messages_author_id_foreign\` foreign key (\`author_id\`) references \`users\` (\`id\`) on delete set null);`);
    this.addSql(`create index \`messages_of_conversation\` on \`messages\` (\`conversation_id\`, \`id\`);`);
    this.addSql(`create unique index "messages_external_id" on "messages" ("channel_id", "external_id") where "external_id" is not null;`);

    this.addSql(`create index "contacts_by_phone_end" on "contacts" ("location_id", substr("phone_key", length("phone_key") - 6), "id") where "deleted_at" is null and "phone_key" is not null;`);
    this.addSql(`create index "contacts_by_name" on "contacts" ("location_id", "name_key", "id") where "deleted_at" is null;`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`conversations\`;`);
    this.addSql(`drop table if exists \`messages\`;`);

    this.addSql(`drop index \`contacts_by_phone_end\`;`);
    this.addSql(`drop index \`contacts_by_name\`;`);
  }
}
