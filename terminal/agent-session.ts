/** The operator as an agent: in the workspace or location of the flags, with the scopes given instead of an operator's permissions. */
import type { AgentSession } from "../src/agents/agent-session.ts";
import { operatorOf } from "../src/operation/callers.ts";
import type { Service } from "../src/service.ts";
import { findOnlyLocation, findVisibleLocation } from "../src/tenancy/locations/location.queries.ts";
import type { ScopeName } from "../src/vocabulary/scopes.ts";
import { chooseLocation, chooseWorkspace } from "./input/choosing/choose-location.ts";
import type { LocationFlags } from "./input/choosing/choose-location.ts";

export async function openAgentSession(
  service: Service,
  { scopes, ...flags }: LocationFlags & { readonly scopes: readonly ScopeName[] },
): Promise<AgentSession> {
  const chosen = await (flags.location === undefined ? chooseWorkspace : chooseLocation)(service, flags);
  const { workspaceId, location } = chosen;
  const locationIds = location === null ? null : [location.id];
  return {
    identity: { ...operatorOf(workspaceId), locationIds, grant: { scopes, appId: null, role: null } },
    callAs: service.callAs,
    deps: service.deps,
    locate: (id) => findVisibleLocation(service.database, workspaceId, locationIds, id),
    onlyLocation: () => findOnlyLocation(service.database, workspaceId, locationIds),
  };
}
