/** Messages store the Message-ID of their e-mail, and whether their body was shortened. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261123023048_message_ids extends Migration {
  override readonly name = "Migration20261123023048_message_ids";

  override up(): void {
    this.addSql(`alter table \`messages\` add column \`message_id\` text null;`);
    this.addSql(`alter table \`messages\` add column \`is_shortened\` integer not null default false;`);
    // Mails that are still to be sent, and inbound mails whose external id is a Message-ID.
    this.addSql(
      `update messages set message_id = '<crm.' || id || '@localhost>' where direction = 'outbound' and status = 'queued'
         and (select kind from channels where channels.id = messages.channel_id) = 'email'`,
    );
    this.addSql(
      `update messages set message_id = '<' || trim(external_id, '<>') || '>' where direction = 'inbound'
         and external_id like '%_@_%' and external_id not like '% %'
         and (select kind from channels where channels.id = messages.channel_id) = 'email'`,
    );
    this.addSql(`create index "messages_message_id" on "messages" ("channel_id", "message_id") where "message_id" is not null;`);
  }

  override down(): void {
    this.addSql(`drop index \`messages_message_id\`;`);
    this.addSql(`alter table \`messages\` drop column \`message_id\`;`);
    this.addSql(`alter table \`messages\` drop column \`is_shortened\`;`);
  }
}
