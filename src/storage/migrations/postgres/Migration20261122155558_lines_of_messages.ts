/** A FIFO queue per conversation: only its oldest unsent message may be sent. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122155558_lines_of_messages extends Migration {
  override readonly name = "Migration20261122155558_lines_of_messages";

  override up(): void {
    this.addSql(`alter table "message_sends" add "conversation_id" bigint null, add "at_head" boolean not null default false;`);
    this.addSql(`update message_sends set conversation_id = (select conversation_id from messages where messages.id = message_sends.message_id);`);
    this.addSql(`update message_sends set at_head = true where id in (select min(id) from message_sends group by conversation_id);`);
    this.addSql(`update message_sends set due_at = null, leased_until = null where at_head = false;`);
    this.addSql(`alter table "message_sends" alter column "conversation_id" set not null, alter column "at_head" drop default;`);
    this.addSql(`alter table "message_sends" add constraint "message_sends_conversation_id_foreign" foreign key ("conversation_id") references "conversations" ("id") on delete cascade;`);
    this.addSql(`drop index "message_sends_new";`);
    this.addSql(`create index "message_sends_of_conversation" on "message_sends" ("conversation_id", "id");`);
    this.addSql(`create unique index "message_sends_head" on "message_sends" ("conversation_id") where "at_head" = true;`);
    this.addSql(`create index "message_sends_unqueued" on "message_sends" ("id") where "at_head" = true and "due_at" is null and "leased_until" is null;`);
  }

  override down(): void {
    this.addSql(`alter table "message_sends" drop constraint "message_sends_conversation_id_foreign";`);

    this.addSql(`drop index "message_sends_of_conversation";`);
    this.addSql(`drop index "message_sends_head";`);
    this.addSql(`drop index "message_sends_unqueued";`);
    this.addSql(`create index "message_sends_new" on "message_sends" ("id") where "due_at" is null and "leased_until" is null;`);
    this.addSql(`alter table "message_sends" drop column "conversation_id", drop column "at_head";`);
  }
}
