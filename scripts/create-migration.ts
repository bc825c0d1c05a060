/**
 * `npm run migrations:create NAME`: creates a migration from the difference between the entities and the last snapshot,
 * for both databases.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MikroORM as PostgresORM } from "@mikro-orm/postgresql";
import { MikroORM as SqliteORM } from "@mikro-orm/sqlite";
import { migrationOptions } from "../config/mikro-orm.config.ts";

const name = process.argv[2] ?? "";
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error("Usage: npm run migrations:create NAME, where NAME is made of a-z, 0-9 and _.");
  process.exit(1);
}

for (const dialect of ["sqlite", "postgres"] as const) {
  const options = migrationOptions(dialect);
  const snapshot = join(options.migrations.path, ".snapshot.json");
  if (!existsSync(snapshot)) {
    mkdirSync(options.migrations.path, { recursive: true });
    writeFileSync(snapshot, JSON.stringify({ tables: [], namespaces: dialect === "postgres" ? ["public"] : [] }));
  }
  const orm = dialect === "sqlite" ? await SqliteORM.init(options) : await PostgresORM.init(options);
  const { fileName } = await orm.migrator.create(undefined, false, false, name);
  console.log(`${dialect}: ${fileName === "" ? "nothing has changed" : join(options.migrations.path, fileName)}`);
  await orm.close(true);
}
