/** Opens the database that a URL names. The only place that knows there are two kinds. */
import type { Database } from "./database.ts";
import { ormOptions } from "./orm-options.ts";
import type { Entities } from "./orm-options.ts";

/** `sqlite:<path>`, `postgres://…` or `postgresql://…`; only the driver that is needed is loaded. */
export async function openDatabase(url: string, entities: Entities): Promise<Database> {
  if (url.startsWith("sqlite:")) {
    const { openSqlite } = await import("./sqlite.ts");
    return openSqlite(url.slice("sqlite:".length), ormOptions(entities));
  }
  const { openPostgres } = await import("./postgres.ts");
  return openPostgres(url, ormOptions(entities));
}
