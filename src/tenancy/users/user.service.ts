/** Adds people to a workspace, changes their membership and removes them. A person has one account in the whole service. */
import type { Change } from "../../events/caller.ts";
import { isTaken } from "../../storage/faults.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import type { Role } from "../../vocabulary/states.ts";
import { isOwner, ownerRole, reachesAll } from "../../operation/roles.ts";
import { countsInvitedOwners, requireOwnAccount, requireWithinGrant } from "../../operation/grant-limits.ts";
import { endInvitationsOf, makeInvitationLink } from "../invitations/account-link.service.ts";
import type { InvitationLink } from "../invitations/account-link.service.ts";
import { requireLocations } from "../locations/location.queries.ts";
import { endSessionsOf } from "../sessions/session.service.ts";
import { lockWorkspace } from "../workspaces/workspace.service.ts";
import { Membership, MembershipLocation } from "./membership.entity.ts";
import { changePerson, findOrAddPerson } from "./person.service.ts";
import { userInvited } from "./user.events.ts";
import { limitToVisible, findWholeUser, isMemberElsewhere } from "./user.queries.ts";
import type { Invitation, PersonPatch } from "./user.schema.ts";
import type { UserView } from "./user.view.ts";

/**
 * Invites a person, by default (`locationIds` null) to every location, and raises user.invited. Owners get access to all locations. An
 * existing person keeps their name; a new one without a name gets the address as name. They reach nothing before they join (redeem-link.service.ts).
 */
export async function inviteUser(
  change: Change,
  { email, name, role, locationIds }: Invitation & { locationIds: readonly number[] | null },
): Promise<UserView> {
  const reached = reachesAll(role) ? null : toUniqueIds(locationIds);
  requireWithinGrant(change, { role, locationIds: reached });
  if (locationIds !== null) await requireLocations(change, locationIds);

  const person = await findOrAddPerson(change, email, name ?? email);
  const membership = change.em.create(Membership, {
    workspace: change.workspaceId,
    user: person.id,
    role,
    allLocations: reached === null,
    createdAt: change.now,
    joinedAt: null,
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
 * Makes a new invitation link, and invalidates earlier ones. Refuses `user.not_found`, a person who has joined, and one with more permissions than the caller: the
 * link's holder may act as that person.
 */
export async function inviteAgain(change: Change, id: number): Promise<InvitationLink & { user: UserView }> {
  const user = await lockUser(change, id);
  requireWithinGrant(change, { role: user.role, locationIds: user.location_ids });
  await endInvitationsOf(change, user.id);
  const link = await makeInvitationLink(change, user);
  // The link has locked the person: it goes to the address that they have now.
  return { ...link, user: (await findWholeUser(change, id))! };
}

const removeText = "delete from memberships where workspace_id = ? and user_id = ? returning joined_at";

/**
 * Removes a person from the workspace and ends their sessions, unless they never joined, or belong to another workspace as well; their records are kept.
 * Refuses `user.not_found`, the last owner, and a person with more permissions than the caller.
 */
export async function removeUser(change: Change, emailOrId: string | number): Promise<UserView> {
  const user = await lockUser(change, emailOrId);
  requireWithinGrant(change, { role: user.role, locationIds: user.location_ids });
  if (await isLastOwner(change, user)) {
    throw new Invalid({
      email: [`The last owner of a workspace cannot be removed.${whoCounts(change)}`],
    });
  }
  // Memberships before sessions, whose deletion cascades to consent requests (docs/lock-order.md).
  const removed = await change.rows<{ joined_at: number | null }>(removeText, [change.workspaceId, user.id]);
  const hadJoined = removed.some(({ joined_at: joinedAt }) => joinedAt !== null);
  // Sessions that stay reach nothing here: each request looks up the membership.
  if (hadJoined && !(await isMemberElsewhere(change, user.id))) await endSessionsOf(change, user.id);
  return user;
}

/**
 * Ends every session of a person, who can sign in again. Refuses `user.not_found`, a person with more permissions than the caller, and one
 * who belongs to another workspace as well: their sessions are those of every workspace.
 */
export async function signOutUser(change: Change, id: number): Promise<void> {
  const user = await lockUser(change, id);
  requireWithinGrant(change, { role: user.role, locationIds: user.location_ids });
  if (await isMemberElsewhere(change, id)) {
    throw new Invalid({
      email: ["This person belongs to another workspace as well. Only they and the operator can sign them out."],
    });
  }
  await endSessionsOf(change, id);
}

/** Name and address belong to the account and change in every workspace. */
export interface UserChange extends PersonPatch {
  readonly role?: Role | undefined;
  /** null: every location, including future ones. */
  readonly locationIds?: readonly number[] | null | undefined;
}

/**
 * Changes a person's role, locations, name or address; omitted fields are unchanged. A new owner gets access to every location, and a former
 * owner keeps it unless locations are given. Raises no event. Refuses `user.not_found`, locations for an owner, an address that is taken,
 * removing the last owner, a person whose permissions exceed the caller's before or after the change, and another person's name or
 * address.
 */
export async function changeUser(
  change: Change,
  emailOrId: string | number,
  { role: givenRole, locationIds: givenIds, ...person }: UserChange,
): Promise<UserView> {
  const user = await lockUser(change, emailOrId);
  const role = givenRole ?? user.role;
  requireWithinGrant(change, { role: user.role, locationIds: user.location_ids });
  requireOwnAccount(change, user.id, person);
  if (!isOwner(role) && (await isLastOwner(change, user))) {
    throw new Invalid({
      role: [
        `The last owner of a workspace cannot be demoted. Make another person an owner first.${whoCounts(change)}`,
      ],
    });
  }
  if (givenIds !== undefined && givenIds !== null) {
    if (reachesAll(role)) {
      throw new Invalid({
        location_ids: ["Owners have access to every location. To limit the locations, change the role too."],
      });
    }
    await requireLocations(change, givenIds);
  }
  const reached = reachesAll(role) ? null : givenIds === undefined ? user.location_ids : toUniqueIds(givenIds);
  requireWithinGrant(change, { role, locationIds: reached });

  const membership = await change.em.findOneOrFail(Membership, { workspace: change.workspaceId, user: user.id });
  membership.role = role;
  membership.allLocations = reached === null;
  await change.rows("delete from membership_locations where membership_id = ?", [membership.id]);
  for (const location of reached ?? []) change.em.create(MembershipLocation, { membership, location });
  await change.em.flush();
  return { ...user, ...(await changePerson(change, user, person)), role, location_ids: reached };
}

/** Renames a person, who need not be a member of a workspace. */
export async function renamePerson(change: Change, id: number, name: string): Promise<{ id: number; name: string }> {
  await change.rows("update users set name = ? where id = ?", [name, id]);
  return { id, name };
}

/** Sorts the ids and removes duplicates; null for every location. */
function toUniqueIds(ids: readonly number[] | null): number[] | null {
  return ids === null ? null : [...new Set(ids)].toSorted((a, b) => a - b);
}

/** Loads the person and locks the workspace, so that concurrent removals cannot leave a workspace without an owner. Refuses `user.not_found`. */
export async function lockUser(change: Change, emailOrId: string | number): Promise<UserView> {
  await lockWorkspace(change);
  const user = await findWholeUser(change, emailOrId);
  if (user === undefined || limitToVisible(user, change.locationIds) === undefined) throw new Refusal("user.not_found");
  return user;
}

const otherOwnerText = `select 1 from memberships m where m.workspace_id = ? and m.role = ? and m.user_id <> ?
  and (m.joined_at is not null or ? or exists (select 1 from memberships own
    where own.workspace_id = m.workspace_id and own.user_id = ? and own.joined_at is null)) limit 1`;

/** Invited owners, who may never come, count as others only where the person has not joined either, and for the operator. */
async function isLastOwner(change: Change, { id, role }: UserView): Promise<boolean> {
  if (!isOwner(role)) return false;
  const values = [change.workspaceId, ownerRole, id, countsInvitedOwners(change), id];
  return (await change.rows(otherOwnerText, values)).length === 0;
}

const whoCounts = (change: Change): string =>
  countsInvitedOwners(change) ? "" : " Invited owners count once they have joined.";
