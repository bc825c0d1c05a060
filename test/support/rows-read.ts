/** How many rows the statements of a service on PostgreSQL read, by table. */
import { inject } from "vitest";
import { connectTo } from "../bench/connection.ts";
import { databaseUrl } from "./postgres.ts";
import type { World } from "./world.ts";

/**
 * Rows read so far. A session reports what it has read when it ends, so those of the service are ended; the next ones have planned nothing.
 */
async function rowsRead({ service: { database } }: World): Promise<Map<string, number>> {
  const [{ name } = { name: "" }] = await database.rows<{ name: string }>("select current_database() as name");
  const apart = await connectTo(databaseUrl(inject("postgresUrl"), name));
  try {
    await apart.rows(
      "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    const read = await apart.rows(
      "select relname as name, cast(seq_tup_read + idx_tup_fetch as integer) as count from pg_stat_user_tables",
    );
    return new Map(read.map(({ name: table, count }) => [String(table), Number(count)]));
  } finally {
    await apart.close();
  }
}

/** Tables with the rows that `work` read of each, the most read ones first. */
export async function rowsReadDuring(
  world: World,
  work: () => Promise<unknown>,
): Promise<[table: string, count: number][]> {
  const before = await rowsRead(world);
  await work();
  const after = await rowsRead(world);
  return [...after]
    .map(([table, count]): [string, number] => [table, count - (before.get(table) ?? 0)])
    .toSorted(([, one], [, other]) => other - one);
}
