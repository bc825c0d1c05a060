/** A fair queue of the posts of workflows, with a row per workflow; posts that were waiting move there. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122195940_workflow_posts extends Migration {
  override readonly name = "Migration20261122195940_workflow_posts";

  override up(): void {
    this.addSql(`create table "workflow_queues" ("id" bigserial primary key, "workflow_id" bigint not null, "due_at" timestamptz(3) null, "served_at" timestamptz(3) not null);`);
    this.addSql(`alter table "workflow_queues" add constraint "workflow_queues_workflow" unique ("workflow_id");`);
    this.addSql(`create index "workflow_queues_due" on "workflow_queues" ("due_at") where "due_at" is not null;`);

    this.addSql(`create table "workflow_posts" ("id" bigserial primary key, "run_id" bigint not null, "workflow_id" bigint not null, "turn" bigint not null, "attempt" bigint not null, "fence" bigint not null default 0, "due_at" timestamptz(3) null, "leased_until" timestamptz(3) null, "leased_by" bigint null);`);
    this.addSql(`alter table "workflow_posts" add constraint "workflow_posts_run" unique ("run_id");`);
    this.addSql(`create index "workflow_posts_due" on "workflow_posts" ("workflow_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create index "workflow_posts_leased" on "workflow_posts" ("leased_until") where "leased_until" is not null;`);

    this.addSql(`insert into workflow_posts (run_id, workflow_id, turn, attempt, due_at)
      select id, workflow_id, turn, attempts, leased_until from workflow_runs where leased_until is not null order by leased_until, id;`);
    this.addSql(`insert into workflow_queues (workflow_id, due_at, served_at)
      select id, (select min(due_at) from workflow_posts where workflow_posts.workflow_id = workflows.id), created_at from workflows;`);

    this.addSql(`drop index "workflow_runs_to_post";`);
    this.addSql(`alter table "workflow_runs" drop column "leased_until";`);

    this.addSql(`alter table "workflow_queues" add constraint "workflow_queues_workflow_id_foreign" foreign key ("workflow_id") references "workflows" ("id") on delete cascade;`);

    this.addSql(`alter table "workflow_posts" add constraint "workflow_posts_run_id_foreign" foreign key ("run_id") references "workflow_runs" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`alter table "workflow_runs" add "leased_until" timestamptz(3) null;`);
    this.addSql(`update workflow_runs
      set leased_until = (select coalesce(due_at, leased_until) from workflow_posts where run_id = workflow_runs.id),
        attempts = (select attempt from workflow_posts where run_id = workflow_runs.id)
      where id in (select run_id from workflow_posts);`);
    this.addSql(`create index "workflow_runs_to_post" on "workflow_runs" ("workflow_id", "leased_until", "id") where "leased_until" is not null;`);

    this.addSql(`drop table if exists "workflow_queues" cascade;`);
    this.addSql(`drop table if exists "workflow_posts" cascade;`);
  }
}
