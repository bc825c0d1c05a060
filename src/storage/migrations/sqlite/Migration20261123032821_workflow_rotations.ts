/** Adds workflow_rotations, the turns in which assign_owner nodes assign people. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123032821_workflow_rotations extends Migration {
  override readonly name = "Migration20261123032821_workflow_rotations";

  override up(): void {
    this.addSql(`create table \`workflow_rotations\` (\`id\` integer not null primary key autoincrement, \`workflow_id\` integer not null, \`people\` text not null, \`position\` integer not null);`);
    this.addSql(`create unique index \`workflow_rotations_people\` on \`workflow_rotations\` (\`workflow_id\`, \`people\`);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`workflow_rotations\`;`);
  }
}
