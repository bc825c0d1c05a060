/** One-time links of the kind `setup`, by which the first owner finishes the setup in the browser. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122224310_setup_links extends Migration {
  override readonly name = "Migration20261122224310_setup_links";

  override up(): void {
    this.addSql(`create table \`account_links__temp_alter\` (\`id\` integer not null primary key autoincrement, \`kind\` text check (\`kind\` in ('invitation', 'reset', 'setup')) not null, \`user_id\` integer not null, \`membership_id\` integer null, \`hash\` text not null, \`created_at\` datetime not null, \`expires_at\` datetime not null, \`used_at\` datetime null, constraint \`account_links_user_id_foreign\` foreign key (\`user_id\`) references \`users\` (\`id\`) on delete cascade, constraint \`account_links_membership_id_foreign\` foreign key (\`membership_id\`) references \`memberships\` (\`id\`) on delete cascade);`);
    this.addSql(`insert into \`account_links__temp_alter\` select \`id\`, \`kind\`, \`user_id\`, \`membership_id\`, \`hash\`, \`created_at\`, \`expires_at\`, \`used_at\` from \`account_links\`;`);
    this.addSql(`drop table \`account_links\`;`);
    this.addSql(`alter table \`account_links__temp_alter\` rename to \`account_links\`;`);
    this.addSql(`create unique index \`account_links_hash\` on \`account_links\` (\`hash\`);`);
    this.addSql(`create index \`account_links_of_user\` on \`account_links\` (\`user_id\`);`);
    this.addSql(`create index \`account_links_of_membership\` on \`account_links\` (\`membership_id\`);`);
    this.addSql(`create index \`account_links_by_end\` on \`account_links\` (\`expires_at\`);`);
  }

  override down(): void {
    this.addSql(`delete from \`account_links\` where \`kind\` = 'setup';`);
    this.addSql(`create table \`account_links__temp_alter\` (\`created_at\` datetime not null, \`expires_at\` datetime not null, \`hash\` text not null, \`id\` integer not null primary key autoincrement, \`kind\` text check (\`kind\` in ('invitation', 'reset')) not null, \`membership_id\` integer null, \`used_at\` datetime null, \`user_id\` integer not null, constraint \`account_links_membership_id_foreign\` foreign key (\`membership_id\`) references \`memberships\` (\`id\`) on delete cascade, constraint \`account_links_user_id_foreign\` foreign key (\`user_id\`) references \`users\` (\`id\`) on delete cascade);`);
    this.addSql(`insert into \`account_links__temp_alter\` select \`created_at\`, \`expires_at\`, \`hash\`, \`id\`, \`kind\`, \`membership_id\`, \`used_at\`, \`user_id\` from \`account_links\`;`);
    this.addSql(`drop table \`account_links\`;`);
    this.addSql(`alter table \`account_links__temp_alter\` rename to \`account_links\`;`);
    this.addSql(`create index \`account_links_by_end\` on \`account_links\` (\`expires_at\`);`);
    this.addSql(`create unique index \`account_links_hash\` on \`account_links\` (\`hash\`);`);
    this.addSql(`create index \`account_links_of_membership\` on \`account_links\` (\`membership_id\`);`);
    this.addSql(`create index \`account_links_of_user\` on \`account_links\` (\`user_id\`);`);
  }
}
