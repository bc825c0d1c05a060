/** The newest backup, and the schedule and lease of those that the worker takes. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125160208_backup_records extends Migration {
  override readonly name = "Migration20261125160208_backup_records";

  override up(): void {
    this.addSql(`create table "backup_records" ("id" bigserial primary key, "taken_at" timestamptz(3) null, "bytes" bigint null, "name" text null, "schedule" text null, "due_at" timestamptz(3) null, "leased_until" timestamptz(3) null, "leased_by" bigint null, "fence" bigint not null default 0, "failing_since" timestamptz(3) null, "error" text null, "told_at" timestamptz(3) null);`);
  }

  override down(): void {
    this.addSql(`drop table if exists "backup_records" cascade;`);
  }
}
