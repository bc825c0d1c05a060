/** The context of a run as a credential may see it: what an event started is judged as the event log and webhooks judge that event. */
import type { Grant } from "../../events/caller.ts";
import { showsEvent } from "../../operation/permission.ts";
import { redactPayload } from "../event-log/event-redaction.ts";
import type { WorkflowRunDetailRow } from "../workflow-runs/workflow-run.view.ts";

/** As JSON. What enrolling gave is the caller's own, and shown with the run. */
export function shownContext(
  held: Pick<Grant, "scopes">,
  { trigger_event: event, context }: Pick<WorkflowRunDetailRow, "trigger_event" | "context">,
): string {
  if (event === null) return context;
  return showsEvent(held, event) ? redactPayload(held, event, context) : "{}";
}
