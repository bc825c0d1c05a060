/** Channels. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121190328_channels extends Migration {
  override readonly name = "Migration20261121190328_channels";

  override up(): void {
    this.addSql(`create table "channels" ("id" bigserial primary key, "location_id" bigint not null, "kind" text not null, "name" text not null, "address" text not null, "inbound_address" text null, "outbound_address" text null, "transport" text not null, "status" text not null, "inbound_hash" text not null, "inbound_token" text not null, "created_at" timestamptz(3) not null);`);
    this.addSql(`alter table "channels" add constraint "channels_inbound_hash" unique ("inbound_hash");`);
    this.addSql(`create index "channels_of_location" on "channels" ("location_id", "kind", "id");`);

    this.addSql(`alter table "channels" add constraint "channels_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete restrict;`);
    this.addSql(`alter table "channels" add constraint "channels_kind_check" check ("kind" in ('call', 'email', 'sms', 'whatsapp', 'messenger', 'instagram', 'webchat', 'google'));`);
    this.addSql(`alter table "channels" add constraint "channels_status_check" check ("status" in ('active', 'paused', 'error'));`);
  }

  override down(): void {
    this.addSql(`drop table if exists "channels" cascade;`);
  }
}
