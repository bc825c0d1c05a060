/** Adds two-factor sign-in, with recovery codes and a requirement per workspace, and the browser and last use of sessions. */
import { Migration } from "@mikro-orm/migrations";

export class Migration20261122224539_two_factor extends Migration {
  override readonly name = "Migration20261122224539_two_factor";

  override up(): void {
    this.addSql(`create table \`second_factors\` (\`id\` integer not null primary key autoincrement, \`user_id\` integer not null, \`secret\` text not null, \`last_step\` integer not null, \`created_at\` datetime not null, constraint \`second_factors_user_id_foreign\` foreign key (\`user_id\`) references \`users\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`second_factors_of_user\` on \`second_factors\` (\`user_id\`);`);

    this.addSql(`create table \`recovery_codes\` (\`id\` integer not null primary key autoincrement, \`user_id\` integer not null, \`hash\` text not null, \`used_at\` datetime null, constraint \`recovery_codes_user_id_foreign\` foreign key (\`user_id\`) references \`users\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`recovery_codes_of_user\` on \`recovery_codes\` (\`user_id\`, \`hash\`);`);

    this.addSql(`alter table \`sessions\` add column \`user_agent\` text null;`);
    this.addSql(`alter table \`sessions\` add column \`last_used_at\` datetime null;`);

    this.addSql(`alter table \`workspaces\` add column \`two_factor_required\` integer not null default false;`);
  }

  override down(): void {
    this.addSql(`drop table if exists \`second_factors\`;`);
    this.addSql(`drop table if exists \`recovery_codes\`;`);

    this.addSql(`alter table \`sessions\` drop column \`user_agent\`;`);
    this.addSql(`alter table \`sessions\` drop column \`last_used_at\`;`);

    this.addSql(`alter table \`workspaces\` drop column \`two_factor_required\`;`);
  }
}
