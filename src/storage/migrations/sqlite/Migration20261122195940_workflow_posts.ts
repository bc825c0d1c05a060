/** A fair queue of the posts of workflows, with a row per workflow; posts that were waiting move there. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122195940_workflow_posts extends Migration {
  override readonly name = "Migration20261122195940_workflow_posts";

  override up(): void {
    this.addSql(`create table \`workflow_queues\` (\`id\` integer not null primary key autoincrement, \`workflow_id\` integer not null, \`due_at\` datetime null, \`served_at\` datetime not null, constraint \`workflow_queues_workflow_id_foreign\` foreign key (\`workflow_id\`) references \`workflows\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`workflow_queues_workflow\` on \`workflow_queues\` (\`workflow_id\`);`);
    this.addSql(`create index "workflow_queues_due" on "workflow_queues" ("due_at") where "due_at" is not null;`);

    this.addSql(`create table \`workflow_posts\` (\`id\` integer not null primary key autoincrement, \`run_id\` integer not null, \`workflow_id\` integer not null, \`turn\` integer not null, \`attempt\` integer not null, \`fence\` integer not null default 0, \`due_at\` datetime null, \`leased_until\` datetime null, \`leased_by\` integer null, constraint \`workflow_posts_run_id_foreign\` foreign key (\`run_id\`) references \`workflow_runs\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`workflow_posts_run\` on \`workflow_posts\` (\`run_id\`);`);
    this.addSql(`create index "workflow_posts_due" on "workflow_posts" ("workflow_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "workflow_posts_leased" on "workflow_posts" ("leased_until") where "leased_until" is not null;`);

    this.addSql(`insert into workflow_posts (run_id, workflow_id, turn, attempt, due_at)
      select id, workflow_id, turn, attempts, leased_until from workflow_runs where leased_until is not null order by leased_until, id;`);
    this.addSql(`insert into workflow_queues (workflow_id, due_at, served_at)
      select id, (select min(due_at) from workflow_posts where workflow_posts.workflow_id = workflows.id), created_at from workflows;`);

    this.addSql(`drop index \`workflow_runs_to_post\`;`);
    this.addSql(`alter table \`workflow_runs\` drop column \`leased_until\`;`);
  }

  override down(): void {
    this.addSql(`alter table \`workflow_runs\` add column \`leased_until\` datetime null;`);
    this.addSql(`update workflow_runs
      set leased_until = (select coalesce(due_at, leased_until) from workflow_posts where run_id = workflow_runs.id),
        attempts = (select attempt from workflow_posts where run_id = workflow_runs.id)
      where id in (select run_id from workflow_posts);`);
    this.addSql(`create index "workflow_runs_to_post" on "workflow_runs" ("workflow_id", "leased_until", "id") where "leased_until" is not null;`);

    this.addSql(`drop table if exists \`workflow_queues\`;`);
    this.addSql(`drop table if exists \`workflow_posts\`;`);
  }
}
