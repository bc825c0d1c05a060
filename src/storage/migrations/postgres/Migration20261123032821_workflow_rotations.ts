/** Adds workflow_rotations, the turns in which assign_owner nodes assign people. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123032821_workflow_rotations extends Migration {
  override readonly name = "Migration20261123032821_workflow_rotations";

  override up(): void {
    this.addSql(`create table "workflow_rotations" ("id" bigserial primary key, "workflow_id" bigint not null, "people" text not null, "position" bigint not null);`);
    this.addSql(`alter table "workflow_rotations" add constraint "workflow_rotations_people" unique ("workflow_id", "people");`);
  }

  override down(): void {
    this.addSql(`drop table if exists "workflow_rotations" cascade;`);
  }
}
