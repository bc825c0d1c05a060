/** Pipelines: each existing location gets the default one. */
import { Migration } from "@mikro-orm/migrations";
import { givePipelines } from "../default-pipelines.ts";

export class Migration20261121190357_pipelines extends Migration {
  override readonly name = "Migration20261121190357_pipelines";

  override up(): void {
    this.addSql(`create table \`pipelines\` (\`id\` integer not null primary key autoincrement, \`location_id\` integer not null, \`name\` text not null, \`created_at\` datetime not null, constraint \`pipelines_location_id_foreign\` foreign key (\`location_id\`) references \`locations\` (\`id\`) on delete restrict);`);
    this.addSql(`create index \`pipelines_of_location\` on \`pipelines\` (\`location_id\`, \`id\`);`);

    this.addSql(`create table \`stages\` (\`id\` integer not null primary key autoincrement, \`pipeline_id\` integer not null, \`place\` integer not null, \`name\` text not null, \`kind\` text check (\`kind\` in ('open', 'won', 'lost')) not null, \`color\` text null, constraint \`stages_pipeline_id_foreign\` foreign key (\`pipeline_id\`) references \`pipelines\` (\`id\`) on delete cascade);`);
    this.addSql(`create unique index \`stages_of_pipeline\` on \`stages\` (\`pipeline_id\`, \`place\`);`);

    for (const statement of givePipelines) this.addSql(statement);
  }

  override down(): void {
    this.addSql(`drop table \`stages\`;`);
    this.addSql(`drop table \`pipelines\`;`);
  }
}
