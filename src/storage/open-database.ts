/** Opens the database that a URL names. The only place that knows there are two kinds. */
import type { EntitySchema } from "@mikro-orm/core";
import type { Database, OrmOptions } from "./database.ts";
import { toDatabaseError } from "./open-faults.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- the only type that every entity fits
type Entities = readonly EntitySchema<any>[];

/** The entities, and the few settings of MikroORM that we depend on. */
export function ormOptions(entities: Entities): OrmOptions {
  return { entities: [...entities], forceUtcTimezone: true, ensureDatabase: false, debug: false };
}

interface OpenOptions {
  /** Makes an SQLite file, and its folder, where there is none; otherwise that is refused. A PostgreSQL database is never made. */
  readonly create?: boolean;
}

/**
 * `sqlite:<path>`, `postgres://…` or `postgresql://…`; only the driver that is needed is loaded. Throws a DatabaseError
 * for a file that is no database or cannot be written, and for a server that cannot be reached or refuses.
 */
export async function openDatabase(
  url: string,
  entities: Entities,
  { create = true }: OpenOptions = {},
): Promise<Database> {
  try {
    if (url.startsWith("sqlite:")) {
      const { openSqlite } = await import("./sqlite/sqlite.ts");
      return await openSqlite(url.slice("sqlite:".length), { ...ormOptions(entities), create });
    }
    const { openPostgres } = await import("./postgres/postgres.ts");
    return await openPostgres(url, ormOptions(entities));
  } catch (error) {
    throw toDatabaseError(error, url);
  }
}
