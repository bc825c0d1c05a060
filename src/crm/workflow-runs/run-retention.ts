/** Forgets runs that ended long ago, with their steps, in pieces that are bounded in rows: SQLite blocks other writers meanwhile. */
import type { Clock } from "../../kit/time/clock.ts";
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Database } from "../../storage/database.ts";
import { listed } from "../../storage/json.ts";
import { skipLocked } from "../../storage/locks.ts";
import { keepToLookUps } from "../../storage/query-plans.ts";
import { sql } from "../../storage/sql-text.ts";
import { limits } from "../../vocabulary/limits.ts";

/** The most runs of a piece, and the most steps unless its first run alone has more. */
const mostRuns = 200;
const mostSteps = 2000;

/** The run is locked, so that a retry of a failed one comes before or after. */
const oldText = sql`select id, step_count from workflow_runs where completed_at < ? order by completed_at, id
  limit ${mostRuns}${skipLocked()}`;
const forgetStepsText = sql`delete from workflow_run_steps where run_id in ${listed}`;
const forgetText = sql`delete from workflow_runs where id in ${listed}`;

/** Forgets a piece of the runs that ended before `before`; resolves to how many. */
export function forgetRuns(database: Database, before: Date): Promise<number> {
  return database.transaction(async (transaction) => {
    keepToLookUps(transaction);
    const old = await transaction.rows<{ id: number; step_count: number }>(oldText, [before]);
    let steps = 0;
    const end = old.findIndex(({ step_count: count }, place) => {
      steps += Math.min(count, limits.workflowRun.steps);
      return place > 0 && steps > mostSteps;
    });
    const piece = end === -1 ? old : old.slice(0, end);
    if (piece.length === 0) return 0;
    const ids = JSON.stringify(piece.map(({ id }) => id));
    transaction.send(forgetStepsText, [ids]);
    transaction.send(forgetText, [ids]);
    return piece.length;
  });
}

const hasOldText = "select 1 as found from workflow_runs where completed_at < ? limit 1";

const dayMilliseconds = 86_400_000;

/** `retentionDays`: how long ended runs are kept. */
export function runRetentionDuty(database: Database, clock: Clock, retentionDays: number): Duty {
  return periodic({
    name: "forget old workflow runs",
    everySeconds: 600,
    clock,
    async run() {
      const before = new Date(clock.now().getTime() - retentionDays * dayMilliseconds);
      // A look without a transaction, which on SQLite would wait for other writers.
      if ((await database.rows(hasOldText, [before])).length === 0) return "done";
      return (await forgetRuns(database, before)) > 0 ? "more" : "done";
    },
  });
}
