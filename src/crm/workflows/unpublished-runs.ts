/** Ends the runs of an unpublished workflow in batches, which any process can continue. */
import type { CallAs } from "../../events/call-as.ts";
import type { Caller, Change, LocationContext } from "../../events/caller.ts";
import type { Rows } from "../../storage/rows.ts";
import { Unavailable } from "../../vocabulary/errors.ts";
import { findContactReferences, lockContacts } from "../contact-activity.ts";
import { lockRuns } from "../workflow-runs/workflow-run.queries.ts";
import { endRun } from "../workflow-runs/workflow-run.service.ts";
import { actAsWorkflow } from "./act-as-workflow.ts";

const nextText = `select workflows.id as workflow_id, workflows.name as workflow_name, locations.id as location_id,
    locations.country, locations.timezone, locations.workspace_id
  from workflows join locations on locations.id = workflows.location_id
  where workflows.ends_runs_up_to is not null and workflows.id > ? order by workflows.id limit 1`;

/**
 * Ends a batch of runs of an unpublished workflow; resolves to whether there may be more. `report` is called for a workflow whose runs cannot be
 * ended, which does not block the others.
 */
export async function endUnpublishedRuns(
  rows: Rows,
  callAs: CallAs,
  report: (error: unknown, workflowId: number) => void,
): Promise<boolean> {
  for (let behind = 0; ;) {
    const [next] = await rows.rows<Parameters<typeof actAsWorkflow>[0]>(nextText, [behind]);
    if (next === undefined) return false;
    const { workflow_id: id } = next;
    const caller = callAs(actAsWorkflow(next, null));
    try {
      if ((await endSomeRuns(caller, id)) !== 0) return true;
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      report(error, id);
    }
    behind = id;
  }
}

/** Ends up to `atOnce` runs; resolves to how many ended, and to undefined when none are left. */
export function endSomeRuns(caller: Caller<LocationContext>, workflowId: number): Promise<number | undefined> {
  return caller.change((change) => endSome(change, workflowId));
}

const atOnce = 200;

const upToText = "select ends_runs_up_to from workflows where id = ? and location_id = ?";

const dueText = `select id, contact_id from workflow_runs
  where workflow_id = ? and status in ('active', 'waiting') and id <= ? limit ${atOnce}`;

async function endSome(change: Change<LocationContext>, workflowId: number): Promise<number | undefined> {
  const [workflow] = await change.rows<{ ends_runs_up_to: number | null }>(upToText, [workflowId, change.location.id]);
  const upTo = workflow?.ends_runs_up_to ?? null;
  if (upTo === null) return undefined;
  const due = await change.rows<{ id: number; contact_id: number }>(dueText, [workflowId, upTo]);
  if (due.length === 0) {
    await change.rows("update workflows set ends_runs_up_to = null where id = ? and ends_runs_up_to = ?", [
      workflowId,
      upTo,
    ]);
    return undefined;
  }
  // Contacts before runs, each in the order of ids (ADR 18).
  const contacts = await findContactReferences(
    change,
    await lockContacts(
      change,
      due.map(({ contact_id }) => contact_id),
    ),
  );
  const runs = await lockRuns(
    change,
    due.map(({ id }) => id),
  );
  const living = runs.filter(({ contact_id }) => contacts.has(contact_id));
  for (const run of living) endRun(change, run, contacts.get(run.contact_id)!, { reason: "workflow_unpublished" });
  // The engine may have ended some of them meanwhile.
  return due.length - runs.length + living.length;
}
