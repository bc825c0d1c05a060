/** People of Acme, and whom a caller speaks for when one of them is signed in. */
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { personCaller } from "../../src/operation/callers.ts";
import { findVisibleLocation } from "../../src/tenancy/locations/location.queries.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import type { UserView } from "../../src/tenancy/users/user.view.ts";
import { findWorkplaces } from "../../src/tenancy/users/workplace.queries.ts";
import type { Role } from "../../src/vocabulary/states.ts";
import { unique } from "./given.ts";
import type { World } from "./world.ts";

/** A new person; `locationIds` null: every location. */
export function givenPerson(
  { service, acme }: World,
  role: Role,
  locationIds: readonly number[] | null,
  workspaceId = acme,
): Promise<UserView> {
  const email = `${role}${unique()}@acme.example`;
  return service
    .inWorkspace(workspaceId)
    .change((change) => inviteUser(change, { email, name: `A ${role}`, role, locationIds }));
}

/** The person in their first workspace, as pages call for them; undefined at a location that they do not reach. */
export async function callerOf(
  { service }: World,
  { id: userId, name }: UserView,
  locationId: number | null,
): Promise<Caller<LocationContext | null> | undefined> {
  const [workplace] = await findWorkplaces(service.database, userId);
  const identity = personCaller({ userId, name }, workplace!);
  if (locationId === null) return service.callAs(identity);
  const location = await findVisibleLocation(service.database, identity.workspaceId, identity.locationIds, locationId);
  return location && service.callAs({ ...identity, location });
}
