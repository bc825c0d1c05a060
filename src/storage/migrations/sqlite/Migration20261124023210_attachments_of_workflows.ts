/** Adds the workflow that keeps an attachment, and finds the attachments that share pieces: attachments.workflow_id, is_published. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261124023210_attachments_of_workflows extends Migration {
  override readonly name = "Migration20261124023210_attachments_of_workflows";

  override up(): void {
    this.addSql(`alter table \`attachments\` add column \`workflow_id\` integer null;`);
    this.addSql(`alter table \`attachments\` add column \`is_published\` integer not null default false;`);
    this.addSql(`drop index "attachments_unsent";`);
    this.addSql(`create index "attachments_unsent" on "attachments" ("created_at") where "message_id" is null and "workflow_id" is null;`);
    this.addSql(`create index "attachments_of_workflow" on "attachments" ("workflow_id", "id") where "workflow_id" is not null;`);
    this.addSql(`create index \`attachments_by_blob\` on \`attachments\` (\`blob_key\`, \`id\`);`);
  }

  override down(): void {
    this.addSql(`drop index "attachments_unsent";`);
    this.addSql(`create index "attachments_unsent" on "attachments" ("created_at") where "message_id" is null;`);
    this.addSql(`drop index \`attachments_of_workflow\`;`);
    this.addSql(`drop index \`attachments_by_blob\`;`);
    this.addSql(`alter table \`attachments\` drop column \`workflow_id\`;`);
    this.addSql(`alter table \`attachments\` drop column \`is_published\`;`);
  }
}
