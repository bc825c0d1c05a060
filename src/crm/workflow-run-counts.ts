/** Counts workflow runs by status, in slices and up to a limit, so that counting a million costs as much as counting ten thousand. */
import { createSliceQueue, walkSlices } from "../storage/keyset/slices.ts";
import { byIndex } from "../storage/query-plans.ts";
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

/** Runs of one slice: some two milliseconds. */
const runsOfSlice = 1000;

interface LivingRow {
  readonly status: RunStatus;
  readonly contact_id: number;
  readonly workflow_id: number;
  readonly id: number;
}

const livingText = sql`select status, contact_id, workflow_id, id from ${byIndex("workflow_runs", "workflow_runs_living_of_contact")}
  where status in ('active', 'waiting') and (contact_id, workflow_id, id) > (?, ?, ?)
  order by contact_id, workflow_id, id limit ${runsOfSlice}`;

/** Runs that have not ended. */
export function countLivingRuns({ rowsOnce }: Rows): Promise<RunCount[]> {
  return countSlices(
    [0, 0, 0],
    // Planned for the size that the table has now.
    (after) => rowsOnce<LivingRow>(livingText, after),
    ({ contact_id, workflow_id, id }) => [contact_id, workflow_id, id],
  );
}

interface EndedRow {
  readonly status: RunStatus;
  readonly completed_at: number;
  readonly id: number;
}

const endedText = sql`select status, completed_at, id from workflow_runs
  where completed_at >= ${timeParameter} and (completed_at, id) < (${timeParameter}, ?)
  order by completed_at desc, id desc limit ${runsOfSlice}`;

/** Runs that have ended since then. */
export function countEndedRuns({ rowsOnce }: Rows, since: Date): Promise<RunCount[]> {
  return countSlices<EndedRow, readonly [before: number, id: number]>(
    [latest, Number.MAX_SAFE_INTEGER],
    ([before, id]) => rowsOnce<EndedRow>(endedText, [since, new Date(before), id]),
    ({ completed_at, id }) => [completed_at, id],
  );
}

/** Milliseconds, later than any run ends. */
const latest = Date.UTC(9999, 0);

const inSliceQueue = createSliceQueue();

/** Counts the rows that `read` gives behind each place by their status. */
async function countSlices<Row extends { readonly status: RunStatus }, Place>(
  from: Place,
  read: (after: Place) => Promise<readonly Row[]>,
  placeOf: (row: Row) => Place,
): Promise<RunCount[]> {
  const counts = new Map<RunStatus, number>();
  let counted = 0;
  await walkSlices({ queue: inSliceQueue, holder: "metrics" }, from, async (after) => {
    const rows = await read(after);
    for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
    counted += rows.length;
    return rows.length < runsOfSlice || counted >= mostCountedRuns ? undefined : placeOf(rows.at(-1)!);
  });
  return [...counts].map(([status, runs]) => ({ status, runs }));
}
