/** Deletes a workflow, in several transactions. If it is interrupted, run it again to finish. */
import { sql } from "../../storage/sql-text.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../storage/reading/owned-range.ts";
import type { Caller, Change, LocationContext } from "../../events/caller.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { keepAttachments, releasePublished } from "./workflow-attachments.ts";
import { unpublishWorkflow } from "./publishing.service.ts";
import { lockWorkflow } from "./workflow.service.ts";

/** Runs per transaction: each takes its steps along, of which it has at most `limits.workflowRun.steps`. */
const runsPerTransaction = 100;

const places = { owner: "workflow_id", place: "id" };
const deleteRunsText = sql`delete from workflow_runs where id in
  (select id from ${ownedBy("workflow_runs")} where ${inOwnedRange(places, {})} and completed_at is not null
   order by ${inOwnedOrder(places)} limit ${runsPerTransaction}) returning id`;

/** A workflow that is published again meanwhile is unpublished again. */
const mostAttempts = 5;

/**
 * Unpublishes the workflow, which ends its runs and raises workflow.run_finished for each; deletes the runs, and then the workflow with its
 * versions. Refuses `workflow.not_found`.
 */
export async function deleteWorkflow(caller: Caller<LocationContext>, id: number): Promise<void> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    await unpublishWorkflow(caller, id);
    for (let deleted = runsPerTransaction; deleted === runsPerTransaction;)
      deleted = (await caller.change((change) => change.rows(deleteRunsText, [id]))).length;
    if (await caller.change((change) => deleteUnused(change, id))) return;
  }
  throw new Refusal("unavailable", {
    message: "The workflow was published again each time it was unpublished to be deleted. Try again.",
  });
}

const usedText = "select id from workflow_runs where workflow_id = ? limit 1";

/** Resolves to false for a workflow that was published again meanwhile, and has runs. */
async function deleteUnused(change: Change<LocationContext>, id: number): Promise<boolean> {
  const { status } = await lockWorkflow(change, id);
  const runs = await change.rows(usedText, [id]);
  if (status === "published" || runs.length > 0) return false;
  releasePublished(change, id);
  keepAttachments(change, id, []);
  change.send("delete from workflow_rotations where workflow_id = ?", [id]);
  const deleted = await change.rows("delete from workflows where id = ? and location_id = ? returning id", [
    id,
    change.location.id,
  ]);
  if (deleted.length === 0) throw new Refusal("workflow.not_found");
  return true;
}
