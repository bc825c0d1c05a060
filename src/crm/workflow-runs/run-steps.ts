/** The history of runs: a ring buffer of the last steps of each, written in the transaction that makes them, in one statement. */
import type { Reader } from "../../events/caller.ts";
import { jsonRows } from "../../storage/json-rows.ts";
import type { Writer } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { limits } from "../../vocabulary/limits.ts";
import { toRunStep } from "./run-step.view.ts";
import type { RunStep, RunStepRow, RunStepView } from "./run-step.view.ts";

const size = limits.workflowRun.steps;

const columns = "run_id, slot, number, node_id, type, outcome, detail, attempt, at";
const given = jsonRows({
  run_id: "integer",
  slot: "integer",
  number: "integer",
  node_id: "text",
  type: "text",
  outcome: "text",
  detail: "text",
  attempt: "integer",
  at: "time",
});
/** `where true`: without it SQLite would read `on conflict` as the condition of a join. */
const writeText = sql`insert into workflow_run_steps (${columns}) select ${columns} from ${given} as given where true
  on conflict (run_id, slot) do update set number = excluded.number, node_id = excluded.node_id, type = excluded.type,
    outcome = excluded.outcome, detail = excluded.detail, attempt = excluded.attempt, at = excluded.at`;

/** The steps that a transaction makes. */
export interface StepLog {
  /** Adds steps of a locked run that has made `count` so far; returns the new count, which the caller stores in the run. */
  add(run: { readonly id: number; readonly step_count: number }, steps: readonly RunStep[]): number;
  /** To be called once, last: one statement for all runs. */
  write(writer: Writer): void;
}

export function createStepLog(): StepLog {
  const rows: object[] = [];
  return {
    add({ id, step_count: count }, steps) {
      // No statement may write a slot twice.
      for (const [place, { nodeId, type, outcome, detail, attempt, at }] of [...steps.entries()].slice(-size)) {
        const number = count + place;
        rows.push({
          run_id: id,
          slot: number % size,
          number,
          node_id: nodeId,
          type,
          outcome,
          detail: JSON.stringify(detail),
          attempt,
          at,
        });
      }
      return count + steps.length;
    },
    write(writer) {
      if (rows.length > 0) writer.send(writeText, [JSON.stringify(rows)]);
    },
  };
}

const readText = `select node_id, type, at, outcome, detail, attempt from workflow_run_steps
  where run_id = ? order by number`;

/** The last steps of a run, the oldest first. */
export async function findRunSteps(reader: Pick<Reader, "rows">, runId: number): Promise<RunStepView[]> {
  return (await reader.rows<RunStepRow>(readText, [runId])).map(toRunStep);
}
