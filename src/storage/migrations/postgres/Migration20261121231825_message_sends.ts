/** The outbound queue of messages, and the transport of channels. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121231825_message_sends extends Migration {
  override readonly name = "Migration20261121231825_message_sends";

  override up(): void {
    this.addSql(`create table "message_sends" ("id" bigserial primary key, "message_id" bigint not null, "channel_id" bigint not null, "attempt" bigint not null default 0, "fence" bigint not null default 0, "due_at" timestamptz(3) null, "leased_until" timestamptz(3) null);`);
    this.addSql(`alter table "message_sends" add constraint "message_sends_message" unique ("message_id");`);
    this.addSql(`create index "message_sends_new" on "message_sends" ("id") where "due_at" is null and "leased_until" is null;`);
    this.addSql(`create index "message_sends_due" on "message_sends" ("channel_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "message_sends_leased" on "message_sends" ("leased_until") where "leased_until" is not null;`);

    this.addSql(`create table "channel_queues" ("id" bigserial primary key, "channel_id" bigint not null, "due_at" timestamptz(3) null, "served_at" timestamptz(3) not null);`);
    this.addSql(`alter table "channel_queues" add constraint "channel_queues_channel" unique ("channel_id");`);
    this.addSql(`create index "channel_queues_due" on "channel_queues" ("due_at") where "due_at" is not null;`);

    this.addSql(`alter table "channels" add "transport_url" text null, add "transport_secret" text null;`);

    this.addSql(`alter table "message_sends" add constraint "message_sends_message_id_foreign" foreign key ("message_id") references "messages" ("id") on delete cascade;`);
    this.addSql(`alter table "message_sends" add constraint "message_sends_channel_id_foreign" foreign key ("channel_id") references "channels" ("id") on delete cascade;`);

    this.addSql(`alter table "channel_queues" add constraint "channel_queues_channel_id_foreign" foreign key ("channel_id") references "channels" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "message_sends" cascade;`);
    this.addSql(`drop table if exists "channel_queues" cascade;`);

    this.addSql(`alter table "channels" drop column "transport_url", drop column "transport_secret";`);
  }
}
