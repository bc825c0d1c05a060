/** move_stage: moves the contact's newest open opportunity of the pipeline; without one there is nothing to move. */
import { updateOpportunity } from "../../opportunities/opportunity.service.ts";
import type { Action } from "./action.ts";

const newestText = `select id from opportunities
  where contact_id = ? and pipeline_id = ? and status = 'open' order by id desc limit 1`;

export const moveStage: Action<"move_stage"> = async (change, node, { contactId, workflowName }) => {
  const [opportunity] = await change.rows<{ id: number }>(newestText, [contactId, node.pipeline_id]);
  if (opportunity === undefined) return "done";
  // A lost stage asks for a reason; any other ignores it.
  const reason = `Moved by the workflow ${workflowName}.`;
  await updateOpportunity(change, opportunity.id, { stage_id: node.stage_id, lost_reason: reason });
  return "done";
};
