/** The tool `describe`: what a location is set up with, in one answer, so that an agent knows which ids to use. */
import { listChannels } from "../../crm/channels/channel.operations.ts";
import { listCustomFields } from "../../crm/custom-fields/custom-field.operations.ts";
import { listPipelines } from "../../crm/pipelines/pipeline.operations.ts";
import { listTags } from "../../crm/tags/tag.operations.ts";
import type { Caller, LocationContext } from "../../events/caller.ts";
import { carryOut } from "../../operation/carry-out.ts";
import type { OperationDeps } from "../../operation/carry-out.ts";
import type { Operation } from "../../operation/operation.ts";
import { holdsScope } from "../../operation/permission.ts";
import { listLocations } from "../../tenancy/locations/location.operations.ts";
import { listUsers } from "../../tenancy/users/user.operations.ts";
import { callerInLocation } from "../agent-session.ts";
import type { AgentTool } from "../agent-tool.ts";
import { compositeTool } from "./composite-tool.ts";

type Listing = Operation<LocationContext, object, { readonly data: readonly unknown[] }>;

/** Within a location, `locations` has that location alone. */
const listings: Readonly<Record<string, Listing>> = {
  locations: listLocations as Listing,
  pipelines: listPipelines as Listing,
  tags: listTags as Listing,
  users: listUsers as Listing,
  custom_fields: listCustomFields as Listing,
  channels: listChannels as Listing,
};

const mostOfEach = 50;

export const describeTool: AgentTool = compositeTool({
  name: "describe",
  description: `Describes the location: its pipelines with their stages, tags, users, custom fields and channels, at most ${mostOfEach} of each. Call it first: other tools take the ids in it.`,
  may: { scope: "any", role: "member" },
  properties: {},
  required: [],
  async call(session, { location_id: locationId }) {
    const caller = await callerInLocation(session, locationId ?? undefined);
    const described: Record<string, unknown> = {};
    for (const [name, operation] of Object.entries(listings)) {
      const { scope } = operation.may;
      if (scope === "any" || (scope !== "none" && holdsScope(caller.grant, scope)))
        described[name] = await readFirst(operation, caller, session.deps);
    }
    return described;
  },
});

async function readFirst(
  operation: Listing,
  caller: Caller<LocationContext>,
  deps: OperationDeps,
): Promise<readonly unknown[]> {
  const { data } = await carryOut(operation, caller, {}, deps);
  return data.slice(0, mostOfEach);
}
