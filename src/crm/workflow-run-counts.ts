/** Counts workflow runs by status, up to a limit, so that counting a million costs as much as counting ten thousand. */
import { timeParameter } from "../storage/rows.ts";
import type { Rows } from "../storage/rows.ts";
import { sql } from "../storage/sql-text.ts";
import type { RunStatus } from "../vocabulary/states.ts";

/** Runs that are counted at most, in each of the two counts. */
const mostCountedRuns = 10_000;

interface RunCount {
  readonly status: RunStatus;
  readonly runs: number;
}

const livingText = `select status, count(*) as runs from
  (select status from workflow_runs where status in ('active', 'waiting') limit ${mostCountedRuns}) as living group by status`;

/** Runs that have not ended. */
export async function countLivingRuns(rows: Rows): Promise<RunCount[]> {
  return toCounts(await rows.rows<RunCount>(livingText));
}

const endedText = sql`select status, count(*) as runs from
  (select status from workflow_runs where completed_at >= ${timeParameter} order by completed_at desc, id desc limit ${mostCountedRuns}) as ended group by status`;

/** Runs that have ended since then. */
export async function countEndedRuns(rows: Rows, since: Date): Promise<RunCount[]> {
  return toCounts(await rows.rows<RunCount>(endedText, [since]));
}

/** PostgreSQL counts in bigint, which its driver returns as text. */
function toCounts(counts: readonly RunCount[]): RunCount[] {
  return counts.map(({ status, runs }) => ({ status, runs: Number(runs) }));
}
