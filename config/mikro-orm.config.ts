/** Configuration of MikroORM's migrator, for creating migrations; the running service never reads it. */
import { Migrator, TSMigrationGenerator } from "@mikro-orm/migrations";
import { entities } from "../src/entities.ts";
import { draftDatabase, migrationFolder, migrationTable } from "../src/storage/migrations/migration-files.ts";
import { ormOptions } from "../src/storage/open-database.ts";
import type { Dialect } from "../src/storage/sql-text.ts";

/** Writes a migration in the style of the code base. */
class MigrationWriter extends TSMigrationGenerator {
  override generateMigrationFile(className: string, diff: { up: string[]; down: string[] }): string {
    const method = (name: "up" | "down", statements: string[]) =>
      `  override ${name}(): void {\n${statements
        .map((sql) => this.createStatement(sql, 4))
        .join("")
        .replace(/^\n/, "")}  }\n`;
    const methods = [method("up", diff.up), ...(diff.down.length > 0 ? [method("down", diff.down)] : [])].join("\n");
    return `/** TODO: one sentence that says what this changes. */
import { Migration } from "@mikro-orm/migrations";

export class ${className} extends Migration {
  override readonly name = "${className}";

${methods}}
`;
  }
}

/** Options for `MikroORM.init` with either driver; it connects lazily. */
export function migrationOptions(dialect: Dialect) {
  const folder = migrationFolder(dialect);
  return {
    ...ormOptions(entities),
    dbName: draftDatabase[dialect],
    extensions: [Migrator],
    // Virtual tables and their shadow tables are written into migrations by hand.
    schemaGenerator: { skipTables: [/^(?:contact_name|contact_other|opportunity|task)_texts/] },
    migrations: {
      path: folder,
      pathTs: folder,
      // The snapshot of the entities at the last migration: the next one is the difference to it, so no database is
      // needed.
      snapshotName: ".snapshot",
      tableName: migrationTable,
      generator: MigrationWriter,
      silent: true,
    },
  };
}
