/** Refuses a PostgreSQL database that is not UTF8. Case folding is done in code (src/kit/text.ts). */
import type pg from "pg";
import { DatabaseError } from "../open-faults.ts";

const remedy = "create one with: createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8 NAME.";

/** Throws a DatabaseError unless the encoding is UTF8. */
export async function requireUnicode(pool: pg.Pool): Promise<void> {
  const described = await pool.query<{ name: string; encoding: string }>(
    "select current_database() as name, current_setting('server_encoding') as encoding",
  );
  const { name, encoding } = described.rows[0]!;
  if (encoding !== "UTF8") {
    throw new DatabaseError(
      `The PostgreSQL database ${name} has the encoding ${encoding}, and crm needs UTF8: ${remedy}`,
    );
  }
}
