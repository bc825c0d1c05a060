/** Opportunities, tasks, and their denormalized columns on the contact: stage, value and next task. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121193253_opportunities_and_tasks extends Migration {
  override readonly name = "Migration20261121193253_opportunities_and_tasks";

  override up(): void {
    this.addSql(`create table \`tasks\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`contact_id\` integer null, \`title\` text not null, \`due_at\` datetime not null, \`completed_at\` datetime null, \`assignee_id\` integer null, \`created_by_id\` integer null, \`created_at\` datetime not null, constraint \`tasks_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict, constraint \`tasks_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete cascade, constraint \`tasks_assignee_id_foreign\` foreign key (\`assignee_id\`) references \`users\` (\`id\`) on delete set null, constraint \`tasks_created_by_id_foreign\` foreign key (\`created_by_id\`) references \`users\` (\`id\`) on delete set null);`);
    this.addSql(`create index \`tasks_created_by\` on \`tasks\` (\`created_by_id\`);`);
    this.addSql(`create index \`tasks_of_location\` on \`tasks\` (\`location_id\`, \`due_at\`, \`id\`);`);
    this.addSql(`create index "tasks_open_of_location" on "tasks" ("location_id", "due_at", "id") where "completed_at" is null;`);
    this.addSql(`create index "tasks_open_of_contact" on "tasks" ("contact_id", "due_at", "id") where "completed_at" is null;`);
    this.addSql(`create index "tasks_open_of_assignee" on "tasks" ("assignee_id", "location_id", "due_at", "id") where "completed_at" is null;`);
    this.addSql(`create index \`tasks_of_contact\` on \`tasks\` (\`contact_id\`, \`id\`);`);
    this.addSql(`create index \`tasks_of_assignee\` on \`tasks\` (\`assignee_id\`, \`location_id\`, \`due_at\`, \`id\`);`);

    this.addSql(`create table \`opportunities\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`contact_id\` integer not null, \`pipeline_id\` integer not null, \`stage_id\` integer not null, \`status\` text check (\`status\` in ('open', 'won', 'lost')) not null, \`name\` text null, \`value_cents\` integer not null, \`owner_id\` integer null, \`lost_reason\` text null, \`stage_entered_at\` datetime not null, \`closed_at\` datetime null, \`created_at\` datetime not null, \`updated_at\` datetime not null, constraint \`opportunities_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict, constraint \`opportunities_contact_id_foreign\` foreign key (\`contact_id\`) references \`contacts\` (\`id\`) on delete cascade, constraint \`opportunities_pipeline_id_foreign\` foreign key (\`pipeline_id\`) references \`pipelines\` (\`id\`) on delete restrict, constraint \`opportunities_stage_id_foreign\` foreign key (\`stage_id\`) references \`stages\` (\`id\`) on delete restrict, constraint \`opportunities_owner_id_foreign\` foreign key (\`owner_id\`) references \`users\` (\`id\`) on delete set null);`);
    this.addSql(`create index \`opportunities_of_location\` on \`opportunities\` (\`location_id\`, \`id\`);`);
    this.addSql(`create index \`opportunities_by_status\` on \`opportunities\` (\`location_id\`, \`status\`, \`id\`);`);
    this.addSql(`create index \`opportunities_of_contact\` on \`opportunities\` (\`contact_id\`, \`id\`);`);
    this.addSql(`create index \`opportunities_of_pipeline\` on \`opportunities\` (\`pipeline_id\`, \`id\`);`);
    this.addSql(`create index \`opportunities_of_stage\` on \`opportunities\` (\`stage_id\`, \`id\`);`);
    this.addSql(`create index \`opportunities_of_owner\` on \`opportunities\` (\`owner_id\`, \`location_id\`, \`id\`);`);

    this.addSql(`alter table \`contacts\` add column \`stage_id\` integer null;`);
    this.addSql(`alter table \`contacts\` add column \`stage_kind\` text null;`);
    this.addSql(`alter table \`contacts\` add column \`value_cents\` integer not null default 0;`);
    this.addSql(`alter table \`contacts\` add column \`next_task_id\` integer null;`);
    this.addSql(`create index "contacts_by_stage" on "contacts" ("location_id", "stage_id", "last_activity_at" desc, "id" desc) where "deleted_at" is null and "stage_id" is not null;`);
    this.addSql(`create index "contacts_by_stage_kind" on "contacts" ("location_id", "stage_kind", "last_activity_at" desc, "id" desc) where "deleted_at" is null and "stage_kind" is not null;`);
    this.addSql(`create index "contacts_with_open_task" on "contacts" ("location_id", "last_activity_at" desc, "id" desc) where "deleted_at" is null and "next_task_id" is not null;`);
  }

  override down(): void {
    this.addSql(`drop table \`tasks\`;`);
    this.addSql(`drop table \`opportunities\`;`);

    this.addSql(`drop index \`contacts_by_stage\`;`);
    this.addSql(`drop index \`contacts_by_stage_kind\`;`);
    this.addSql(`drop index \`contacts_with_open_task\`;`);
    this.addSql(`alter table \`contacts\` drop column \`stage_id\`;`);
    this.addSql(`alter table \`contacts\` drop column \`stage_kind\`;`);
    this.addSql(`alter table \`contacts\` drop column \`value_cents\`;`);
    this.addSql(`alter table \`contacts\` drop column \`next_task_id\`;`);
  }
}
