/** Channels. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261121190328_channels extends Migration {
  override readonly name = "Migration20261121190328_channels";

  override up(): void {
    this.addSql(`create table \`channels\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`kind\` text check (\`kind\` in ('call', 'email', 'sms', 'whatsapp', 'messenger', 'instagram', 'webchat', 'google')) not null, \`name\` text not null, \`address\` text not null, \`inbound_address\` text null, \`outbound_address\` text null, \`transport\` text not null, \`status\` text check (\`status\` in ('active', 'paused', 'error')) not null, \`inbound_hash\` text not null, \`inbound_token\` text not null, \`created_at\` datetime not null, constraint \`channels_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict);`);
    this.addSql(`create unique index \`channels_inbound_hash\` on \`channels\` (\`inbound_hash\`);`);
    this.addSql(`create index \`channels_of_location\` on \`channels\` (\`location_id\`, \`kind\`, \`id\`);`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`channels\`;`);
  }
}
