/** Opens the database of a URL: the only place that knows both kinds. */
import type { Database, OrmOptions } from "./database.ts";
import { toDatabaseError } from "./open-faults.ts";
import type { Entities } from "./transaction.ts";

/** The entities, and the MikroORM settings we depend on. */
export function ormOptions(entities: Entities): OrmOptions {
  return { entities: [...entities], forceUtcTimezone: true, ensureDatabase: false, debug: false };
}

/** The URL of an embedded database in the file `path`. */
export function embeddedUrl(path: string): string {
  return `sqlite:${path}`;
}

/** The file of an embedded database; undefined for a server. */
export function embeddedPath(url: string): string | undefined {
  return url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
}

interface OpenOptions {
  /**
   * Creates a missing SQLite file and its folder; otherwise a missing file is refused. A PostgreSQL database is never
   * created.
   */
  readonly create?: boolean;
}

/**
 * Accepts `sqlite:<path>`, `postgres://…` or `postgresql://…`, and loads only the driver needed. Throws a DatabaseError
 * for a file that is no database or not writable, and for a server that is unreachable or refuses.
 */
export async function openDatabase(
  url: string,
  entities: Entities,
  { create = true }: OpenOptions = {},
): Promise<Database> {
  try {
    const path = embeddedPath(url);
    if (path !== undefined) {
      const { openSqlite } = await import("./sqlite/sqlite.ts");
      return await openSqlite(path, { ...ormOptions(entities), create });
    }
    const { openPostgres } = await import("./postgres/postgres.ts");
    return await openPostgres(url, ormOptions(entities));
  } catch (error) {
    throw toDatabaseError(error, url);
  }
}
