/** For whom what a workflow does is done: the workflow itself, in its location, and because of a run where there is one. */
import type { Identity } from "../../events/call-as.ts";
import type { LocationContext } from "../../events/caller.ts";
import type { Cause } from "../../events/event-record.ts";

/** A workflow with its location. */
interface PlacedWorkflow {
  readonly workflow_id: number;
  readonly workflow_name: string;
  readonly workspace_id: number;
  readonly location_id: number;
  readonly country: string;
  readonly timezone: string;
}

/** `cause`: the run that makes it happen, and how many stand behind it. */
export function actAsWorkflow(
  { workflow_id, workflow_name, workspace_id, location_id, country, timezone }: PlacedWorkflow,
  cause: Cause | null,
): Identity<LocationContext> {
  return {
    workspaceId: workspace_id,
    location: { id: location_id, country, timezone },
    locationIds: [location_id],
    actor: { type: "workflow", id: workflow_id, name: workflow_name },
    grant: { scopes: [], appId: null, role: null },
    user: null,
    cause,
  };
}
