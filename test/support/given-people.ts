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

/** The person has accepted all of their invitations. */
export async function letJoin({ database }: Pick<World["service"], "database">, userId: number): Promise<void> {
  await database.transaction(({ rows }) =>
    rows("update memberships set joined_at = created_at where user_id = ?", [userId]),
  );
}

/** A new person, who has not joined yet; `locationIds` null: every location. */
export function inviteTo(
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

/** The same, who has joined. */
export async function givenPerson(...[world, ...membership]: Parameters<typeof inviteTo>): Promise<UserView> {
  const person = await inviteTo(world, ...membership);
  await letJoin(world.service, person.id);
  return person;
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
