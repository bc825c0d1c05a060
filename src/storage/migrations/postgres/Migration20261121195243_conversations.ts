/** Conversations and messages, and the indexes that match an unknown sender to contacts. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121195243_conversations extends Migration {
  override readonly name = "Migration20261121195243_conversations";

  override up(): void {
    this.addSql(`create table "conversations" ("id" bigserial primary key, "location_id" bigint not null, "contact_id" bigint null, "contact_key" text not null default '', "channel_id" bigint not null, "kind" text not null, "status" text not null, "snoozed_until" timestamptz(3) null, "assignee_id" bigint null, "subject" text null, "preview" text null, "last_message_at" timestamptz(3) not null, "last_inbound_at" timestamptz(3) null, "unread_count" bigint not null default 0, "sender_key" text null, "possible_match_id" bigint null, "created_at" timestamptz(3) not null);`);
    this.addSql(`create index "conversations_by_message" on "conversations" ("location_id", "last_message_at" desc, "id" desc, "status", "kind", "assignee_id", "contact_key");`);
    this.addSql(`create index "conversations_by_status" on "conversations" ("location_id", "status", "last_message_at" desc, "id" desc, "kind", "assignee_id", "contact_key");`);
    this.addSql(`create index "conversations_by_assignee" on "conversations" ("location_id", "assignee_id", "last_message_at" desc, "id" desc, "status", "kind") where "assignee_id" is not null;`);
    this.addSql(`create index "conversations_of_contact" on "conversations" ("contact_id", "last_message_at" desc, "id" desc, "channel_id", "status");`);
    this.addSql(`create index "conversations_of_sender" on "conversations" ("channel_id", "sender_key", "last_message_at" desc, "id" desc) where "sender_key" is not null;`);
    this.addSql(`create index "conversations_by_snooze" on "conversations" ("snoozed_until", "id") where "snoozed_until" is not null;`);

    this.addSql(`create table "messages" ("id" bigserial primary key, "conversation_id" bigint not null, "channel_id" bigint not null, "direction" text not null, "kind" text not null, "subject" text null, "from_address" text null, "to_address" text null, "status" text not null, "error" text null, "author_id" bigint null, "external_id" text null, "ai_generated" boolean not null default false, "sent_at" timestamptz(3) null, "delivered_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "body" text null, "html" text null);`);
    this.addSql(`create index "messages_of_conversation" on "messages" ("conversation_id", "id");`);
    this.addSql(`create unique index "messages_external_id" on "messages" ("channel_id", "external_id") where "external_id" is not null;`);

    this.addSql(`create index "contacts_by_phone_end" on "contacts" ("location_id", substr("phone_key", length("phone_key") - 6), "id") where "deleted_at" is null and "phone_key" is not null;`);
    this.addSql(`create index "contacts_by_name" on "contacts" ("location_id", "name_key", "id") where "deleted_at" is null;`);

    this.addSql(`alter table "conversations" add constraint "conversations_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete restrict;`);
    this.addSql(`alter table "conversations" add constraint "conversations_contact_id_foreign" foreign key ("contact_id") references "contacts" ("id") on delete restrict;`);
    this.addSql(`alter table "conversations" add constraint "conversations_channel_id_foreign" foreign key ("channel_id") references "channels" ("id") on delete restrict;`);
    this.addSql(`alter table "conversations" add constraint "conversations_assignee_id_foreign" foreign key ("assignee_id") references "users" ("id") on delete set null;`);
    this.addSql(`alter table "conversations" add constraint "conversations_possible_match_id_foreign" foreign key ("possible_match_id") references "contacts" ("id") on delete set null;`);
    this.addSql(`alter table "conversations" add constraint "conversations_kind_check" check ("kind" in ('call', 'email', 'sms', 'whatsapp', 'messenger', 'instagram', 'webchat', 'google'));`);
    this.addSql(`alter table "conversations" add constraint "conversations_status_check" check ("status" in ('open', 'snoozed', 'closed'));`);

    this.addSql(`alter table "messages" add constraint "messages_conversation_id_foreign" foreign key ("conversation_id") references "conversations" ("id") on delete cascade;`);
    this.addSql(`alter table "messages" add constraint "messages_channel_id_foreign" foreign key ("channel_id") references "channels" ("id") on delete restrict;`);
    this.addSql(`alter table "messages" add constraint "messages_author_id_foreign" foreign key ("author_id") references "users" ("id") on delete set null;`);
    this.addSql(`alter table "messages" add constraint "messages_direction_check" check ("direction" in ('inbound', 'outbound'));`);
    this.addSql(`alter table "messages" add constraint "messages_kind_check" check ("kind" in ('text', 'note', 'system', 'call'));`);
    this.addSql(`alter table "messages" add constraint "messages_status_check" check ("status" in ('received', 'queued', 'sent', 'delivered', 'read', 'failed'));`);
  }

  override down(): void {
    this.addSql(`alter table "messages" drop constraint "messages_conversation_id_foreign";`);

    this.addSql(`drop table if exists "conversations" cascade;`);
    this.addSql(`drop table if exists "messages" cascade;`);

    this.addSql(`drop index "contacts_by_phone_end";`);
    this.addSql(`drop index "contacts_by_name";`);
  }
}
