/** Two changes that meet: the second has begun, and on PostgreSQL waits for a lock of the first. */
import { setTimeout as sleep } from "node:timers/promises";
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
    while ((await database.rows(isWaiting)).length === 0) await sleep(5);
    await last?.(change);
  });
  return (await meeting!)[0]!;
}
