/** Pipelines: each existing location gets the default one. */
import { Migration } from "@mikro-orm/migrations";
import { givePipelines } from "../default-pipelines.ts";

export class Migration20261121190357_pipelines extends Migration {
  override readonly name = "Migration20261121190357_pipelines";

  override up(): void {
    this.addSql(`create table "pipelines" ("id" bigserial primary key, "location_id" bigint not null, "name" text not null, "created_at" timestamptz(3) not null);`);
    this.addSql(`create index "pipelines_of_location" on "pipelines" ("location_id", "id");`);

    this.addSql(`create table "stages" ("id" bigserial primary key, "pipeline_id" bigint not null, "place" bigint not null, "name" text not null, "kind" text not null, "color" text null);`);
    this.addSql(`alter table "stages" add constraint "stages_of_pipeline" unique ("pipeline_id", "place");`);

    this.addSql(`alter table "pipelines" add constraint "pipelines_location_id_foreign" foreign key ("location_id") references "locations" ("id") on delete restrict;`);

    this.addSql(`alter table "stages" add constraint "stages_pipeline_id_foreign" foreign key ("pipeline_id") references "pipelines" ("id") on delete cascade;`);
    this.addSql(`alter table "stages" add constraint "stages_kind_check" check ("kind" in ('open', 'won', 'lost'));`);

    for (const statement of givePipelines) this.addSql(statement);
  }

  override down(): void {
    this.addSql(`drop table "stages";`);
    this.addSql(`drop table "pipelines";`);
  }
}
