/** Adds text indexes of the names of opportunities and tasks, which the worker builds, and keeps the state of all text indexes in one table. */
import { Migration } from "@mikro-orm/migrations";
import { createTrigrams, hasTrigrams } from "../../reading/trigram-extension.ts";

export class Migration20261126033545_record_names extends Migration {
  override readonly name = "Migration20261126033545_record_names";

  override up(): void {
    this.addSql(`create table "text_indexes" ("id" bigserial primary key, "position" bigint not null default 0, "built_to" bigint null);`);
    this.addSql(`insert into "text_indexes" ("id", "position", "built_to") select "id", "position", "built_to" from "contact_text_index";`);
    this.addSql(`drop table "contact_text_index";`);
    for (const [id, table] of [[2, "opportunity_texts"], [3, "task_texts"]] as const) {
      this.addSql(`create table "${table}" ("id" bigint primary key, "text" text not null);`);
      this.addSql(createTrigrams(table));
      this.addSql(`insert into "text_indexes" ("id", "built_to") select ${id}, 0 where ${hasTrigrams(table)};`);
    }
    this.addSql(`create table "unindexed_names" ("id" bigserial primary key, "index_id" bigint not null, "location_id" bigint not null, "record_id" bigint not null);`);
    this.addSql(`create index "unindexed_names_of_location" on "unindexed_names" ("index_id", "location_id");`);
  }

  override down(): void {
    this.addSql(`create table "contact_text_index" ("id" bigserial primary key, "position" bigint not null default 0, "built_to" bigint null);`);
    this.addSql(`insert into "contact_text_index" ("id", "position", "built_to") select "id", "position", "built_to" from "text_indexes" where "id" = 1;`);
    for (const table of ["text_indexes", "opportunity_texts", "task_texts", "unindexed_names"])
      this.addSql(`drop table if exists "${table}";`);
  }
}
