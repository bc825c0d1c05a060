/** Lets people into a workspace and out of it. A person is one row in the whole service, whoever invites them. */
import type { Change } from "../../events/caller.ts";
import { emailKey } from "../../kit/text-key.ts";
import { isTaken } from "../../storage/faults.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import type { Role } from "../../vocabulary/states.ts";
import { requireLocations } from "../locations/location.queries.ts";
import { endSessionsOf } from "../sessions/session.service.ts";
import { Membership, MembershipLocation } from "./membership.entity.ts";
import { userInvited } from "./user.events.ts";
import { findUserByEmail } from "./user.queries.ts";
import type { Invitation } from "./user.schema.ts";
import type { UserView } from "./user.view.ts";

/**
 * Invites a person, by default (`locationIds` null) to every location, and raises user.invited. An owner reaches all of
 * them whatever is named. Somebody known already keeps the name they have; without a name the address stands for it.
 */
export async function inviteUser(
  change: Change,
  { email, name, role, locationIds }: Invitation & { locationIds: readonly number[] | null },
): Promise<UserView> {
  if (locationIds !== null) await requireLocations(change, locationIds);
  const reached = role === "owner" ? null : toReach(locationIds);

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

/** Takes a person out of the workspace and signs them out; what they wrote stays theirs. Refuses `user.not_found`, and the last owner. */
export async function removeUser(change: Change, email: string): Promise<UserView> {
  const user = await holdUser(change, email);
  if (await isLastOwner(change, user)) {
    throw new Invalid({ email: ["The last owner of a workspace cannot be removed."] });
  }
  await change.rows("delete from memberships where workspace_id = ? and user_id = ?", [change.workspaceId, user.id]);
  await endSessionsOf(change, user.id);
  return user;
}

export interface UserChange {
  readonly role?: Role | undefined;
  /** null: every location, those to come included. */
  readonly locationIds?: readonly number[] | null | undefined;
}

/**
 * Gives a person another role, other locations, or both; what is left out stays. Whoever becomes an owner reaches every location,
 * and whoever is one no longer still does unless locations are named. There is no event that would tell of it. Refuses
 * `user.not_found`, locations of an owner, and to leave the workspace without one.
 */
export async function changeUser(
  change: Change,
  email: string,
  { role: givenRole, locationIds: givenIds }: UserChange,
): Promise<UserView> {
  const user = await holdUser(change, email);
  const role = givenRole ?? user.role;
  if (role !== "owner" && (await isLastOwner(change, user))) {
    throw new Invalid({ role: ["The last owner of a workspace stays an owner: make somebody else one first."] });
  }
  if (givenIds !== undefined && givenIds !== null) {
    if (role === "owner") {
      throw new Invalid({ location_ids: ["An owner reaches every location: give another role as well."] });
    }
    await requireLocations(change, givenIds);
  }
  const reached = role === "owner" ? null : givenIds === undefined ? user.location_ids : toReach(givenIds);

  const membership = await change.em.findOneOrFail(Membership, { workspace: change.workspaceId, user: user.id });
  membership.role = role;
  membership.allLocations = reached === null;
  await change.rows("delete from membership_locations where membership_id = ?", [membership.id]);
  for (const location of reached ?? []) change.em.create(MembershipLocation, { membership, location });
  await change.em.flush();
  return { ...user, role, location_ids: reached };
}

/** Ids once each and in their order; null for every location. */
function toReach(ids: readonly number[] | null): number[] | null {
  return ids === null ? null : [...new Set(ids)].toSorted((a, b) => a - b);
}

/** The person, while nobody else changes who owns the workspace: two owners who go at the same moment must not each count on the other. */
async function holdUser(change: Change, email: string): Promise<UserView> {
  await change.rows("update workspaces set name = name where id = ?", [change.workspaceId]);
  const user = await findUserByEmail(change, emailKey(email));
  if (user === undefined) throw new Refusal("user.not_found");
  return user;
}

async function isLastOwner(change: Change, { role }: UserView): Promise<boolean> {
  if (role !== "owner") return false;
  const text = "select id from memberships where workspace_id = ? and role = 'owner' limit 2";
  return (await change.rows(text, [change.workspaceId])).length === 1;
}

type Person = Pick<UserView, "id" | "name" | "email">;

const findText = "select id, name, email from users where email_key = ?";
const addText = `insert into users (name, email, email_key, created_at) values (?, ?, ?, ?)
  on conflict (email_key) do nothing returning id, name, email`;

/** Two workspaces may invite one person at the same moment: the insert waits for the other, and then finds its row. */
async function findOrAddPerson(change: Change, email: string, name: string): Promise<Person> {
  const key = emailKey(email);
  const [added] = await change.rows<Person>(addText, [name, email, key, change.now]);
  if (added !== undefined) return added;
  const [known] = await change.rows<Person>(findText, [key]);
  if (known === undefined) throw new Error("a person whose address is taken cannot be found");
  return known;
}
