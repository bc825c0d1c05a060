/** Two changes that meet: the second has begun, and on PostgreSQL waits for a lock of the first. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/storage/database.ts";
import type { Rows } from "../../src/storage/rows.ts";
import type { SqlText } from "../../src/storage/sql-text.ts";

/** SQLite has one writer: its second change begins after the first. */
const isWaiting: SqlText = {
  sqlite: "select 1",
  postgres: "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
};

interface Changing<Change> {
  change<Result>(work: (change: Change) => Promise<Result>): Promise<Result>;
}

interface Meeting<Change, Result> {
  readonly first: (change: Change) => Promise<unknown>;
  readonly second: (change: Change) => Promise<Result>;
  /** What the first does after the second has begun. */
  readonly last?: (change: Change) => Promise<unknown>;
}

/** Resolves when a change waits for a lock of another one, on SQLite at once. */
export async function untilOneWaits(database: Rows): Promise<void> {
  while ((await database.rows(isWaiting)).length === 0) await sleep(5);
}

/** The same database, of which each transaction commits only when `second` has begun: it waits for a lock, or is done. `second` resolves when it is. */
export function meeting(
  database: Database,
  second: () => Promise<unknown>,
): { readonly database: Database; readonly second: Promise<unknown> } {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const late: Database = {
    ...database,
    transaction: (work) =>
      database.transaction(async (change) => {
        const result = await work(change);
        second().then(resolve, reject);
        await Promise.race([promise, untilOneWaits(database)]);
        return result;
      }),
  };
  return { database: late, second: promise };
}

/** Begins `second` when `first` is done and not committed; resolves to how it ended. */
export async function meet<Change, Result>(
  database: Rows,
  changing: Changing<Change>,
  { first, second, last }: Meeting<Change, Result>,
): Promise<PromiseSettledResult<Result>> {
  let meeting: Promise<PromiseSettledResult<Result>[]> | undefined;
  await changing.change(async (change) => {
    await first(change);
    meeting = Promise.allSettled([changing.change(second)]);
    await untilOneWaits(database);
    await last?.(change);
  });
  return (await meeting!)[0]!;
}
