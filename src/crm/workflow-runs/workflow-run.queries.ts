/** Reads workflow runs: one alone, a page of them, and those of a contact that are not over. */
import type { Change, Place, Reader } from "../../events/caller.ts";
import { untilCommit } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import type { WorkflowRunRow } from "./workflow-run.view.ts";

const columns = `workflow_runs.id, workflow_runs.workflow_id, workflow_runs.contact_id, workflow_runs.status,
  workflow_runs.current_node_id, workflow_runs.wait_reason, workflow_runs.due_at, workflow_runs.ended_reason,
  workflow_runs.enrolled_at, workflow_runs.completed_at`;

const oneText = `select ${columns} from workflow_runs where id = ? and location_id = ?`;

/** The run with this id, if it is one of the location. */
export async function findWorkflowRun(reader: Reader<Place>, id: number): Promise<WorkflowRunRow | undefined> {
  const [row] = await reader.rows<WorkflowRunRow>(oneText, [id, reader.location.id]);
  return row;
}

/** A run that is not over, with what the event of its end tells. */
export interface LivingRunRow extends WorkflowRunRow {
  readonly workflow_name: string;
}

const living = "workflow_runs.status in ('active', 'waiting')";

const livingText = `select ${columns}, workflows.name as workflow_name
  from workflow_runs join workflows on workflows.id = workflow_runs.workflow_id`;

const ofContactText = sql`${livingText} where workflow_runs.contact_id = ? and ${living}
  order by workflow_runs.id${untilCommit("workflow_runs")}`;

/** Holds the runs of a contact, which is held, that are not over: a hundred at the most (limits.workflowRun.ofContact). */
export function holdRunsOfContact(change: Change<Place>, contactId: number): Promise<LivingRunRow[]> {
  return change.rows<LivingRunRow>(ofContactText, [contactId]);
}
