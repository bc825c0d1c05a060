/** Adds the holder of a lease, so that another process of the machine takes over as soon as the holder is gone. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122161329_workers_by_process extends Migration {
  override readonly name = "Migration20261122161329_workers_by_process";

  override up(): void {
    this.addSql(`create table "workers" ("id" bigserial primary key, "machine" text not null, "pid" bigint not null, "started_at" bigint not null, "seen_at" timestamptz(3) not null);`);

    this.addSql(`alter table "message_sends" add "leased_by" bigint null;`);

    this.addSql(`alter table "deliveries" add "leased_by" bigint null;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "workers" cascade;`);

    this.addSql(`alter table "deliveries" drop column "leased_by";`);

    this.addSql(`alter table "message_sends" drop column "leased_by";`);
  }
}
