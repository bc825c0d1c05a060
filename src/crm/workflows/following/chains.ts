/** Warns of wide chains of runs that cause each other. The depth of a chain is limited, its width is not. */
import type { Clock } from "../../../kit/time/clock.ts";
import type { Database } from "../../../storage/database.ts";
import { listed } from "../../../storage/json.ts";
import { jsonRows } from "../../../storage/json-rows.ts";
import { untilCommit } from "../../../storage/locks.ts";
import { sql } from "../../../storage/sql-text.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { Start } from "./starts.ts";

/** The least time between two warnings of a workflow, in milliseconds. */
const markedFor = 3_600_000;

const origins = jsonRows({ id: "integer" });
/** Counts no further than the limit. */
const grownText = sql`select origins.id from ${origins} as origins where
  (select count(*) from (select 1 from workflow_runs where origin_run_id = origins.id limit ${limits.workflowRun.chain}) as caused)
    >= ${limits.workflowRun.chain}`;

const lockText = sql`select id from workflows where id in ${listed} order by id${untilCommit("workflows")}`;
const markText = sql`update workflows set chain_grew_at = ?
  where id in ${listed} and (chain_grew_at is null or chain_grew_at <= ?) returning id`;

interface ChainDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: { readonly warn: (message: string, fields: object) => void };
}

/** To be called before the runs are started. */
export async function markGrownChains({ database, clock, log }: ChainDeps, starts: readonly Start[]): Promise<void> {
  const now = clock.now();
  const until = new Date(now.getTime() - markedFor);
  const unmarked = starts.filter(
    ({ workflow: { chain_grew_at: at }, cause }) => cause !== null && (at === null || at <= until.getTime()),
  );
  if (unmarked.length === 0) return;
  const ids = new Set(unmarked.map(({ cause }) => cause!.originRunId));
  const found = await database.rows<{ id: number }>(grownText, [JSON.stringify([...ids].map((id) => ({ id })))]);
  const grown = new Set(found.map(({ id }) => id));
  const ofGrown = unmarked.filter(({ cause }) => grown.has(cause!.originRunId));
  if (ofGrown.length === 0) return;
  const byWorkflow = new Map(ofGrown.map((start) => [start.workflow.id, start]));
  const workflowIds = JSON.stringify([...byWorkflow.keys()]);
  const marked = await database.transaction(async ({ rows }) => {
    await rows(lockText, [workflowIds]);
    return rows<{ id: number }>(markText, [now, workflowIds, until]);
  });
  for (const { id } of marked) {
    const { workflow, cause } = byWorkflow.get(id)!;
    log.warn(`a chain of workflow runs has grown past ${limits.workflowRun.chain} runs, and goes on`, {
      workflow_id: id,
      workflow: workflow.name,
      origin_run_id: cause!.originRunId,
    });
  }
}
