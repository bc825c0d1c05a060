/** Deleted mails of workflows: the contact that each was sent to, so that its unsubscribe URL stays valid. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123231534_removed_mails extends Migration {
  override readonly name = "Migration20261123231534_removed_mails";

  override up(): void {
    this.addSql(`create table "removed_mails" ("id" bigserial primary key, "contact_id" bigint not null);`);
    this.addSql(`create index "removed_mails_of_contact" on "removed_mails" ("contact_id");`);

    this.addSql(`alter table "removed_mails" add constraint "removed_mails_contact_id_foreign" foreign key ("contact_id") references "contacts" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "removed_mails" cascade;`);
  }
}
