/** Adds merges of contacts: which contact stands for one that is gone. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125152617_contact_merges extends Migration {
  override readonly name = "Migration20261125152617_contact_merges";

  override up(): void {
    this.addSql(`create table "contact_merges" ("id" bigserial primary key, "contact_id" bigint not null, "merged_contact_id" bigint not null, "started_at" timestamptz(3) not null, "finished_at" timestamptz(3) null);`);
    this.addSql(`create index "contact_merges_of_contact" on "contact_merges" ("contact_id", "id");`);
    this.addSql(`create index "contact_merges_running" on "contact_merges" ("id") where "finished_at" is null;`);
    this.addSql(`alter table "contact_merges" add constraint "contact_merges_merged" unique ("merged_contact_id");`);

    this.addSql(`alter table "contact_merges" add constraint "contact_merges_contact_id_foreign" foreign key ("contact_id") references "contacts" ("id") on delete cascade;`);
    this.addSql(`alter table "contact_merges" add constraint "contact_merges_merged_contact_id_foreign" foreign key ("merged_contact_id") references "contacts" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "contact_merges" cascade;`);
  }
}
