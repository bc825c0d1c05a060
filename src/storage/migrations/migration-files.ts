/** Lists and loads the migrations of this program. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { MikroORM } from "@mikro-orm/core";
import type { Migration } from "@mikro-orm/migrations";
import type { Database } from "../database.ts";
import type { Rows } from "../rows.ts";
import type { Dialect } from "../sql-text.ts";

export const migrationTable = "schema_migrations";

const form = /^(Migration\d{14}_\w+)\.[jt]s$/;

/** The folder of a dialect: .ts files in the repository, .js files in a built package. */
export function migrationFolder(dialect: Dialect): string {
  return join(import.meta.dirname, dialect);
}

/** The databases that MikroORM names while it writes a migration, and never opens. */
export const draftDatabase: Readonly<Record<Dialect, string>> = { sqlite: ":memory:", postgres: "crm" };

/** The names of all migrations in `folder`, oldest first. */
export function readMigrationNames(folder: string): string[] {
  return readdirSync(folder)
    .flatMap((file) => form.exec(file)?.[1] ?? [])
    .toSorted();
}

/** What a migration is called on both databases, whose names differ by the time of their creation. */
export function stemOf(name: string): string {
  return name.replace(/^Migration\d{14}_/, "");
}

export interface MigrationPlan {
  readonly statements: string[];
  /** Code that runs after the statements, when applied. */
  readonly fill?: ((rows: Rows) => Promise<void>) | undefined;
  /**
   * Code that does most of a migration ahead of it, in short transactions of its own that can be resumed, on the schema that the database has. The
   * statements do what it has left, and everything where it has not run: in an empty database, and when a backup is restored.
   */
  readonly prepare?: ((database: Database) => Promise<void>) | undefined;
  /** Why processes of the version before must be stopped first, where the statements do not say so (older-versions.ts). */
  readonly breaks?: string | undefined;
}

/** The statements of migration `name` in `direction`, without running them. Throws if it cannot be reverted. */
export async function readMigration(
  orm: MikroORM,
  folder: string,
  name: string,
  direction: "up" | "down",
): Promise<MigrationPlan> {
  const file = readdirSync(folder).find((entry) => form.exec(entry)?.[1] === name);
  if (file === undefined) throw new Error(`there is no migration ${name}`);
  const module = (await import(pathToFileURL(join(folder, file)).href)) as Record<
    string,
    new (...args: unknown[]) => Migration & Pick<MigrationPlan, "fill" | "prepare" | "breaks">
  >;
  const MigrationClass = module[name];
  if (MigrationClass === undefined) throw new Error(`${file} does not export ${name}`);
  const migration = new MigrationClass(orm.driver, orm.config);
  await migration[direction]();
  const statements = migration.getQueries().map((query) => {
    if (typeof query !== "string") throw new Error(`${file} adds a statement that is not text`);
    return query;
  });
  const { fill, prepare, breaks } = direction === "up" ? migration : {};
  return { statements, fill, prepare, breaks };
}
