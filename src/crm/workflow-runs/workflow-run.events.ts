/** The events of workflow runs. */
import { z } from "zod";
import { addedValue, defineEvent } from "../../events/define-event.ts";
import { contactReference, contactReferenceSpecimen } from "../contact-activity.ts";
import { workflowRunSpecimen, workflowRunView } from "./workflow-run.view.ts";

const shape = workflowRunView.extend({
  workflow: z.object({ id: z.int(), name: z.string() }),
  contact: contactReference,
});

const neighbours = { workflow: { id: 1, name: "Welcome" }, contact: contactReferenceSpecimen };

export const runStarted = defineEvent(
  "workflow.run_started",
  shape,
  {
    ...workflowRunSpecimen,
    status: "active",
    current_node_id: "greet",
    wait_reason: "none",
    wake_at: null,
    ...neighbours,
  },
  ({ workflow }) => [addedValue("workflow", workflow.name)],
);

export const runFinished = defineEvent(
  "workflow.run_finished",
  shape.extend({ error: z.string().nullable().describe("Why the run failed.") }),
  {
    ...workflowRunSpecimen,
    status: "completed",
    wait_reason: "none",
    wake_at: null,
    ended_reason: "replied",
    completed_at: "2026-03-02T09:00:00.000Z",
    error: null,
    ...neighbours,
  },
  ({ workflow, ended_reason, error }) => [
    addedValue("workflow", workflow.name),
    addedValue("ended_reason", ended_reason),
    ...(error === null ? [] : [addedValue("error", error)]),
  ],
);
