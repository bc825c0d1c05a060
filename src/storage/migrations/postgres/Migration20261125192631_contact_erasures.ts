/** The table of erasures: contacts that are forgotten, and the receipts. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125192631_contact_erasures extends Migration {
  override readonly name = "Migration20261125192631_contact_erasures";

  override up(): void {
    this.addSql(`create table "contact_erasures" ("id" bigserial primary key, "location_id" bigint not null, "contact_id" bigint not null, "contact_ids" text not null, "step" text not null, "place" bigint not null default 0, "reached" bigint not null default 0, "removed" text not null, "started_at" timestamptz(3) not null, "finished_at" timestamptz(3) null);`);
    this.addSql(`create index "contact_erasures_running" on "contact_erasures" ("id") where "finished_at" is null;`);
    this.addSql(`alter table "contact_erasures" add constraint "contact_erasures_contact" unique ("contact_id");`);

    this.addSql(`alter table "contact_erasures" add constraint "contact_erasures_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete cascade;`);
    this.addSql(`alter table "contact_erasures" add constraint "contact_erasures_contact_id_foreign" foreign key ("contact_id") references "contacts" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "contact_erasures" cascade;`);
  }
}
