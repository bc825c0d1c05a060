/** Reads the credential that sends a request. */
import type { Reader } from "../../events/caller.ts";
import { listLocations } from "../../tenancy/locations/location.queries.ts";
import { getWorkspace } from "../../tenancy/workspaces/workspace.queries.ts";
import type { CredentialView } from "./credential.view.ts";

const appText = "select client_id, name from apps where id = ?";

export async function getCredential(reader: Reader): Promise<CredentialView> {
  const { actor, grant, user, tools, workspaceId } = reader;
  const [workspace, locations, apps] = await Promise.all([
    getWorkspace(reader, workspaceId),
    listLocations(reader),
    grant.appId === null ? [] : reader.rows<NonNullable<CredentialView["app"]>>(appText, [grant.appId]),
  ]);
  const limit = tools.requestLimit;
  return {
    type: grant.appId === null ? "api_key" : "app",
    // Only system actors have neither.
    id: actor.id!,
    name: actor.name!,
    workspace,
    locations: locations.map(({ id, name }) => ({ id, name })),
    scopes: grant.scopes,
    user,
    app: apps[0] ?? null,
    rate_limit: limit && { limit: limit.requests, window_seconds: limit.seconds },
  };
}
