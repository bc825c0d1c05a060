/** The audit log: its entries, and the ends of its hash chain. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261125152621_audit_log extends Migration {
  override readonly name = "Migration20261125152621_audit_log";

  override up(): void {
    this.addSql(`create table "audit_entries" ("id" bigserial primary key, "workspace_id" bigint not null, "location_id" bigint null, "operation" text not null, "actor_type" text not null, "actor_id" bigint not null, "address" text null, "subject" text null, "subject_id" bigint null, "details" text null, "created_at" timestamptz(3) not null, "position" bigint null, "hash" text null);`);
    this.addSql(`create index "audit_entries_of_workspace" on "audit_entries" ("workspace_id", "created_at", "id");`);
    this.addSql(`create index "audit_entries_of_operation" on "audit_entries" ("workspace_id", "operation", "created_at", "id");`);
    this.addSql(`create index "audit_entries_of_actor" on "audit_entries" ("workspace_id", "actor_type", "actor_id", "created_at", "id");`);
    this.addSql(`create index "audit_entries_of_actor_operation" on "audit_entries" ("workspace_id", "actor_type", "actor_id", "operation", "created_at", "id");`);
    this.addSql(`create index "audit_entries_unchained" on "audit_entries" ("id") where "position" is null;`);
    this.addSql(`alter table "audit_entries" add constraint "audit_entries_position" unique ("position");`);

    this.addSql(`create table "audit_log" ("id" bigserial primary key, "last_position" bigint not null default 0, "last_hash" text not null, "anchor_position" bigint not null default 0, "anchor_hash" text not null, "seal" text null);`);
    this.addSql(`insert into audit_log (id, last_hash, anchor_hash) values (1, '', '');`);

    this.addSql(`alter table "audit_entries" add constraint "audit_entries_actor_type_check" check ("actor_type" in ('user', 'api_key', 'app', 'workflow', 'contact', 'system', 'operator', 'anonymous'));`);
  }

  override down(): void {
    this.addSql(`drop table if exists "audit_entries" cascade;`);
    this.addSql(`drop table if exists "audit_log" cascade;`);
  }
}
