/** Redacts the context of a run: the data of its trigger event is shown as the event log shows that event to the credential. */
import type { Grant } from "../../events/caller.ts";
import { showsEvent } from "../../operation/permission.ts";
import { redactPayload } from "../event-log/event-redaction.ts";
import type { WorkflowRunDetailRow } from "../workflow-runs/workflow-run.view.ts";

/** As JSON. A context that was given with the enrollment is always shown. */
export function shownContext(
  held: Pick<Grant, "scopes">,
  { trigger_event: event, context }: Pick<WorkflowRunDetailRow, "trigger_event" | "context">,
): string {
  if (event === null) return context;
  return showsEvent(held, event) ? redactPayload(held, event, context) : "{}";
}
