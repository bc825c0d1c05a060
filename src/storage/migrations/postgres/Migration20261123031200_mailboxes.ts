/** Email channels receive from IMAP mailboxes. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123031200_mailboxes extends Migration {
  override readonly name = "Migration20261123031200_mailboxes";

  override up(): void {
    this.addSql(`create table "mailboxes" ("id" bigserial primary key, "channel_id" bigint not null, "url" text not null, "password" text not null, "move_to" text null, "since" timestamptz(3) not null, "uid_validity" text null, "last_uid" bigint not null default 0, "failures" bigint not null default 0, "error" text null, "due_at" timestamptz(3) not null, "leased_until" timestamptz(3) null, "leased_by" bigint null, "fence" bigint not null default 0);`);
    this.addSql(`alter table "mailboxes" add constraint "mailboxes_channel" unique ("channel_id");`);
    this.addSql(`create index "mailboxes_due" on "mailboxes" ("due_at", "id");`);

    this.addSql(`alter table "mailboxes" add constraint "mailboxes_channel_id_foreign" foreign key ("channel_id") references "channels" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "mailboxes" cascade;`);
  }
}
