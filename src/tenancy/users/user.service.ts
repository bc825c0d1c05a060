/** Lets people into a workspace and out of it. A person is one row in the whole service, whoever invites them. */
import type { Change } from "../../events/caller.ts";
import { isTaken } from "../../storage/faults.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import type { Role } from "../../vocabulary/states.ts";
import { reachesAll } from "../../operation/roles.ts";
import { requireOwnAccount, requireWithinGrant } from "../../operation/giving.ts";
import { requireLocations } from "../locations/location.queries.ts";
import { endSessionsOf } from "../sessions/session.service.ts";
import { Membership, MembershipLocation } from "./membership.entity.ts";
import { changePerson, findOrAddPerson } from "./person.service.ts";
import { userInvited } from "./user.events.ts";
import { cutToReach, findWholeUser } from "./user.queries.ts";
import type { Invitation, PersonPatch } from "./user.schema.ts";
import type { UserView } from "./user.view.ts";

/**
 * Invites a person, by default (`locationIds` null) to every location, and raises user.invited. An owner reaches all of
 * them whatever is named. Somebody known already keeps the name they have; without a name the address stands for it.
 */
export async function inviteUser(
  change: Change,
  { email, name, role, locationIds }: Invitation & { locationIds: readonly number[] | null },
): Promise<UserView> {
  const reached = reachesAll(role) ? null : toReach(locationIds);
  requireWithinGrant(change, { role, locationIds: reached });
  if (locationIds !== null) await requireLocations(change, locationIds);

  const person = await findOrAddPerson(change, email, name ?? email);
  const membership = change.em.create(Membership, {
    workspace: change.workspaceId,
    user: person.id,
    role,
    allLocations: reached === null,
    createdAt: change.now,
  });
  for (const location of reached ?? []) change.em.create(MembershipLocation, { membership, location });
  try {
    await change.em.flush();
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new Invalid({ email: ["The email belongs to a member of this workspace already."] });
  }
  const view = { ...person, role, location_ids: reached };
  change.raise(userInvited.of(view));
  return view;
}

/**
 * Takes a person out of the workspace and signs them out; what they wrote stays theirs. Refuses `user.not_found`, the last owner, and a person
 * who holds more than the caller.
 */
export async function removeUser(change: Change, emailOrId: string | number): Promise<UserView> {
  const user = await holdUser(change, emailOrId);
  requireWithinGrant(change, { role: user.role, locationIds: user.location_ids });
  if (await isLastOwner(change, user)) {
    throw new Invalid({ email: ["The last owner of a workspace cannot be removed."] });
  }
  // Memberships before sessions, which take requests for consent with them (docs/lock-order.md).
  await change.rows("delete from memberships where workspace_id = ? and user_id = ?", [change.workspaceId, user.id]);
  await endSessionsOf(change, user.id);
  return user;
}

/** A new name or address changes the person, in every workspace that they belong to. */
export interface UserChange extends PersonPatch {
  readonly role?: Role | undefined;
  /** null: every location, those to come included. */
  readonly locationIds?: readonly number[] | null | undefined;
}

/**
 * Changes a person's role, locations, name or address; what is left out stays. A new owner reaches every location, and a former
 * owner still does unless locations are named. Raises no event. Refuses `user.not_found`, locations of an owner, an address that is
 * taken, to leave the workspace without an owner, a person who holds more than the caller or would then, and a name or an address of
 * another person's.
 */
export async function changeUser(
  change: Change,
  emailOrId: string | number,
  { role: givenRole, locationIds: givenIds, ...person }: UserChange,
): Promise<UserView> {
  const user = await holdUser(change, emailOrId);
  const role = givenRole ?? user.role;
  requireWithinGrant(change, { role: user.role, locationIds: user.location_ids });
  requireOwnAccount(change, user.id, person);
  if (role !== "owner" && (await isLastOwner(change, user))) {
    throw new Invalid({ role: ["The last owner of a workspace stays an owner: make somebody else one first."] });
  }
  if (givenIds !== undefined && givenIds !== null) {
    if (reachesAll(role)) {
      throw new Invalid({ location_ids: ["An owner reaches every location: give another role as well."] });
    }
    await requireLocations(change, givenIds);
  }
  const reached = reachesAll(role) ? null : givenIds === undefined ? user.location_ids : toReach(givenIds);
  requireWithinGrant(change, { role, locationIds: reached });

  const membership = await change.em.findOneOrFail(Membership, { workspace: change.workspaceId, user: user.id });
  membership.role = role;
  membership.allLocations = reached === null;
  await change.rows("delete from membership_locations where membership_id = ?", [membership.id]);
  for (const location of reached ?? []) change.em.create(MembershipLocation, { membership, location });
  await change.em.flush();
  return { ...user, ...(await changePerson(change, user, person)), role, location_ids: reached };
}

/** Ids once each and in their order; null for every location. */
function toReach(ids: readonly number[] | null): number[] | null {
  return ids === null ? null : [...new Set(ids)].toSorted((a, b) => a - b);
}

/** The person, while nobody else changes who owns the workspace: two owners who go at the same moment must not each count on the other. */
async function holdUser(change: Change, emailOrId: string | number): Promise<UserView> {
  await change.rows("update workspaces set name = name where id = ?", [change.workspaceId]);
  const user = await findWholeUser(change, emailOrId);
  if (user === undefined || cutToReach(user, change.locationIds) === undefined) throw new Refusal("user.not_found");
  return user;
}

async function isLastOwner(change: Change, { role }: UserView): Promise<boolean> {
  if (role !== "owner") return false;
  const text = "select id from memberships where workspace_id = ? and role = 'owner' limit 2";
  return (await change.rows(text, [change.workspaceId])).length === 1;
}
