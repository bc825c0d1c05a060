/** stop_workflow: ends the contact's other runs of a workflow. */
import { z } from "zod";
import { recordId } from "../../../kit/input/fields.ts";
import { findContactReference } from "../../contact-activity.ts";
import { lockRunsOfContact } from "../../workflow-runs/workflow-run.queries.ts";
import { endRun } from "../../workflow-runs/workflow-run.service.ts";
import { defineAction } from "../definition/node-type.ts";
import { next } from "../definition/parts.schema.ts";

export const stopWorkflowNode = defineAction({
  type: "stop_workflow",
  scopes: () => ["workflows.write"],
  schema: z
    .strictObject({ type: z.literal("stop_workflow"), workflow_id: recordId(), next })
    .describe("Ends the active runs of the contact in a workflow, except this run."),
  about: "ends the contact's active runs of that workflow as `removed`, except this run",
  fields: ({ workflow_id }) => [{ field: "workflow_id", holds: "workflow", value: workflow_id, starts: false }],
  summary: ({ workflow_id }) => `stop workflow ${workflow_id}`,
  async perform(change, { workflow_id: workflowId }, { contactId }) {
    const runs = (await lockRunsOfContact(change, contactId)).filter(
      (run) => run.workflow_id === workflowId && run.id !== change.cause?.runId,
    );
    if (runs.length === 0) return "done";
    const contact = await findContactReference(change, contactId);
    for (const run of runs) endRun(change, run, contact!, { reason: "removed" });
    return "done";
  },
});
