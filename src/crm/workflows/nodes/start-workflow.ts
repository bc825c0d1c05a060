/** start_workflow: enrolls the contact in another workflow, with the context of this run. */
import { z } from "zod";
import { recordId } from "../../../kit/input/fields.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { findActingRun } from "../../workflow-runs/workflow-run.queries.ts";
import { enroll, shareWorkflow } from "../../workflow-runs/enrollment.service.ts";
import { Throttled } from "../../workflow-runs/throttle.ts";
import { countThrottled } from "../following/trigger-counts.ts";
import { defineAction } from "../definition/node-type.ts";
import { next } from "../definition/parts.schema.ts";

const { depth: deepest } = limits.workflowRun;

export const startWorkflowNode = defineAction({
  type: "start_workflow",
  scopes: () => ["workflows.write"],
  schema: z
    .strictObject({ type: z.literal("start_workflow"), workflow_id: recordId(), next })
    .describe("Enrolls the contact in another workflow, with the context of this run."),
  about:
    "enrolls the contact in that workflow, with the context of this run, unless it has an active run there or too many were started; " +
    `a chain of more than ${deepest + 1} runs fails`,
  fields: ({ workflow_id }) => [{ field: "workflow_id", holds: "workflow", value: workflow_id, starts: true }],
  summary: ({ workflow_id }) => `start workflow ${workflow_id}`,
  keyLocks: {
    areTaken: () => true,
    find: async () => [],
    // As an enrollment does: the workflow stays published until the commit.
    lockRows: (change, { workflow_id: id }) => shareWorkflow(change, id),
  },
  async perform(change, { workflow_id: workflowId }, { contactId }) {
    const run = await findActingRun(change);
    if (change.cause !== null && change.cause.depth > deepest)
      throw new Invalid({ workflow_id: [`Workflows start each other: a chain has at most ${deepest + 1} runs.`] });
    try {
      await enroll(change, {
        workflowId,
        contactId,
        context: run === undefined ? {} : (JSON.parse(run.context) as Record<string, unknown>),
        triggerEvent: run?.trigger_event ?? null,
        cause: run === undefined ? null : { ...change.cause!, originRunId: run.origin_run_id ?? run.id },
      });
    } catch (error) {
      // Thrown before anything is written.
      if (error instanceof Throttled) countThrottled(change, workflowId);
      else if (!(error instanceof Invalid && "contact_id" in error.errors)) throw error;
    }
    return "done";
  },
});
