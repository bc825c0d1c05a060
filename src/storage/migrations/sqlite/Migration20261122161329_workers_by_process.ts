/** Adds the holder of a lease, so that another process of the machine takes over as soon as the holder is gone. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122161329_workers_by_process extends Migration {
  override readonly name = "Migration20261122161329_workers_by_process";

  override up(): void {
    this.addSql(`create table \`workers\` (\`id\` integer not null primary key autoincrement, \`machine\` text not null, \`pid\` integer not null, \`started_at\` integer not null, \`seen_at\` datetime not null);`);

    this.addSql(`alter table \`message_sends\` add column \`leased_by\` integer null;`);

    this.addSql(`alter table \`deliveries\` add column \`leased_by\` integer null;`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`workers\`;`);

    this.addSql(`alter table \`deliveries\` drop column \`leased_by\`;`);

    this.addSql(`alter table \`message_sends\` drop column \`leased_by\`;`);
  }
}
