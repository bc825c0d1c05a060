/** The identity of inbound messages and delivery receipts: the service itself, in the location of the channel. */
import type { Identity } from "../../events/call-as.ts";
import type { LocationContext } from "../../events/caller.ts";

interface PlacedChannel {
  readonly name: string;
  readonly workspace_id: number;
  readonly place: LocationContext;
}

export function channelIdentity({ name, workspace_id: workspaceId, place }: PlacedChannel): Identity<LocationContext> {
  return {
    workspaceId,
    location: place,
    locationIds: [place.id],
    actor: { type: "system", id: null, name },
    grant: { scopes: [], appId: null, role: null },
    user: null,
  };
}
