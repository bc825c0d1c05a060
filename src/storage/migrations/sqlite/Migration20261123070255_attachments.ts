/** Adds attachments of messages, and their number: attachments, messages.attachment_count. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123070255_attachments extends Migration {
  override readonly name = "Migration20261123070255_attachments";

  override up(): void {
    this.addSql(`create table \`attachments\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`message_id\` integer null, \`blob_key\` text not null, \`name\` text not null, \`content_type\` text not null, \`content_id\` text null, \`size\` integer not null default 0, \`sha256\` text not null default '', \`is_stored\` integer not null default false, \`created_at\` datetime not null, constraint \`attachments_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict, constraint \`attachments_message_id_foreign\` foreign key (\`message_id\`) references \`messages\` (\`id\`) on delete set null);`);
    this.addSql(`create index "attachments_of_message" on "attachments" ("message_id", "id") where "message_id" is not null;`);
    this.addSql(`create index "attachments_unsent" on "attachments" ("created_at") where "message_id" is null;`);

    this.addSql(`alter table \`messages\` add column \`attachment_count\` integer not null default 0;`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`attachments\`;`);

    this.addSql(`alter table \`messages\` drop column \`attachment_count\`;`);
  }
}
