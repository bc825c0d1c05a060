/** Leaves records without an assignee, creator or owner out of the indexes of these, under new names: large ones are built ahead. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261126151136_indexes_of_people extends Migration {
  override readonly name = "Migration20261126151136_indexes_of_people";

  override up(): void {
    // Of two that fit, SQLite takes the one created last: that of open tasks.
    this.addSql(`create index "tasks_assigned" on "tasks" ("assignee_id", "location_id", "due_at", "id") where "assignee_id" is not null;`);
    this.addSql(`create index "tasks_open_assigned" on "tasks" ("assignee_id", "location_id", "due_at", "id") where "completed_at" is null and "assignee_id" is not null;`);
    this.addSql(`create index "tasks_of_creator" on "tasks" ("created_by_id") where "created_by_id" is not null;`);
    this.addSql(`create index "opportunities_owned" on "opportunities" ("owner_id", "location_id", "id") where "owner_id" is not null;`);
    for (const name of ["tasks_created_by", "tasks_of_assignee", "tasks_open_of_assignee", "opportunities_of_owner"])
      this.addSql(`drop index "${name}";`);
  }

  override down(): void {
    this.addSql(`drop index \`opportunities_owned\`;`);
    this.addSql(`create index \`opportunities_of_owner\` on \`opportunities\` (\`owner_id\`, \`location_id\`, \`id\`);`);

    this.addSql(`drop index \`tasks_open_assigned\`;`);
    this.addSql(`drop index \`tasks_assigned\`;`);
    this.addSql(`drop index \`tasks_of_creator\`;`);
    this.addSql(`create index \`tasks_created_by\` on \`tasks\` (\`created_by_id\`);`);
    this.addSql(`create index \`tasks_of_assignee\` on \`tasks\` (\`assignee_id\`, \`location_id\`, \`due_at\`, \`id\`);`);
    this.addSql(`create index "tasks_open_of_assignee" on "tasks" ("assignee_id", "location_id", "due_at", "id") where "completed_at" is null;`);
  }
}
