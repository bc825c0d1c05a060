/** How many rows the statements of a service on PostgreSQL read, by table, and how many pages, by index. */
import { inject } from "vitest";
import { connectTo } from "../bench/connection.ts";
import { databaseUrl } from "./postgres.ts";
import type { World } from "./world.ts";

interface Counter {
  readonly columns: string;
  readonly view: string;
}

const rowsOfTables: Counter = { columns: "relname as name, seq_tup_read + idx_tup_fetch", view: "pg_stat_user_tables" };
const pagesOfIndexes: Counter = {
  columns: "indexrelname as name, idx_blks_read + idx_blks_hit",
  view: "pg_statio_user_indexes",
};

/**
 * What was read so far. A session reports what it has read when it ends, so those of the service are ended; the next ones have planned nothing.
 */
async function read({ service: { database } }: World, { columns, view }: Counter): Promise<Map<string, number>> {
  const [{ name } = { name: "" }] = await database.rows<{ name: string }>("select current_database() as name");
  const apart = await connectTo(databaseUrl(inject("postgresUrl"), name));
  try {
    await apart.rows(
      "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    const counted = await apart.rows(`select ${columns} as count from ${view}`);
    return new Map(counted.map(({ name: of, count }) => [String(of), Number(count)]));
  } finally {
    await apart.close();
  }
}

type Counted = [name: string, count: number][];

async function countDuring(world: World, counter: Counter, work: () => Promise<unknown>): Promise<Counted> {
  const before = await read(world, counter);
  await work();
  const after = await read(world, counter);
  return [...after]
    .map(([name, count]): [string, number] => [name, count - (before.get(name) ?? 0)])
    .toSorted(([, one], [, other]) => other - one);
}

/** Tables with the rows that `work` read of each, the most read ones first. */
export function rowsReadDuring(world: World, work: () => Promise<unknown>): Promise<Counted> {
  return countDuring(world, rowsOfTables, work);
}

/** Indexes with the pages that `work` read of each, the most read ones first. */
export function indexPagesReadDuring(world: World, work: () => Promise<unknown>): Promise<Counted> {
  return countDuring(world, pagesOfIndexes, work);
}
