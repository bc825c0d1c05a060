/** move_stage: moves the contact's newest open opportunity of the pipeline; without one there is nothing to do. */
import { z } from "zod";
import { recordId } from "../../../kit/input/fields.ts";
import { truncate } from "../../../kit/text.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { updateOpportunity } from "../../opportunities/opportunity.service.ts";
import { defineAction } from "../definition/node-type.ts";
import { next } from "../definition/parts.schema.ts";

const newestText = `select id from opportunities
  where contact_id = ? and pipeline_id = ? and status = 'open' order by id desc limit 1`;

export const moveStageNode = defineAction({
  type: "move_stage",
  scopes: () => ["opportunities.write"],
  schema: z
    .strictObject({ type: z.literal("move_stage"), pipeline_id: recordId(), stage_id: recordId(), next })
    .describe("Moves the contact's newest open opportunity."),
  about: "moves the contact's newest open opportunity of the pipeline; without one it does nothing",
  fields: ({ pipeline_id, stage_id }) => [
    { field: "pipeline_id", holds: "pipeline", value: pipeline_id },
    { field: "stage_id", holds: "stage", value: stage_id, pipelineId: pipeline_id },
  ],
  summary: ({ pipeline_id, stage_id }) => `move to stage ${stage_id} of pipeline ${pipeline_id}`,
  async perform(change, { pipeline_id, stage_id }, { contactId, workflowName }) {
    const [opportunity] = await change.rows<{ id: number }>(newestText, [contactId, pipeline_id]);
    if (opportunity === undefined) return "done";
    // A lost stage asks for a reason; any other ignores it.
    const reason = truncate(`Moved by the workflow ${workflowName}.`, limits.lostReason);
    await updateOpportunity(change, opportunity.id, { stage_id, lost_reason: reason });
    return "done";
  },
});
