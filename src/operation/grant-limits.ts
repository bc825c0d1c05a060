/** Prevents privilege escalation: a key, app, invitation, role or consent can grant at most the caller's own permissions. */
import type { Person, Reader } from "../events/caller.ts";
import { Invalid, Refusal } from "../vocabulary/errors.ts";
import type { FieldErrors } from "../vocabulary/errors.ts";
import type { ScopeName } from "../vocabulary/scopes.ts";
import type { Role } from "../vocabulary/states.ts";
import { holdsScope } from "./permission.ts";
import { isAtLeast, isOwner, rightsOf } from "./roles.ts";

/** The permissions to be granted; each member is an input field of the request. */
interface RequestedGrant {
  readonly scopes?: readonly ScopeName[] | undefined;
  /** null: every location of the workspace, including future ones. */
  readonly locationIds?: readonly number[] | null | undefined;
  readonly role?: Role | undefined;
}

/** Refuses with 422 on `scopes`, `location_ids` and `role`; each error names what exceeds the caller's own grant. */
export function requireWithinGrant(reader: Reader, requested: RequestedGrant): void {
  const errors = excessOf(reader, requested);
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

/** Whether the caller's own grant covers the permissions. */
export function isWithinGrant(reader: Reader, requested: RequestedGrant): boolean {
  return Object.keys(excessOf(reader, requested)).length === 0;
}

function excessOf({ grant, locationIds: ownLocationIds }: Reader, requested: RequestedGrant): FieldErrors {
  const errors: FieldErrors = {};
  const scopes = missingScopes(grant, requested.scopes ?? []);
  if (scopes.length > 0) errors["scopes"] = [`You cannot grant scopes that you do not have: ${scopes.join(", ")}.`];
  if (requested.locationIds !== undefined && ownLocationIds !== null) {
    const beyond = requested.locationIds?.filter((id) => !ownLocationIds.includes(id));
    if (beyond === undefined)
      errors["location_ids"] = ["You cannot grant access to every location. Name locations that you have access to."];
    else if (beyond.length > 0)
      errors["location_ids"] = [`You do not have access to the locations ${beyond.join(", ")}.`];
  }
  if (requested.role !== undefined && !mayAssignRole(grant, requested.role))
    errors["role"] = [`The role ${requested.role} has more permissions than your own.`];
  return errors;
}

/**
 * Refuses `insufficient_scope` if the caller reaches only some locations: for a change of a record that all locations of the workspace share.
 * `what` begins the sentence, such as "Tags"; `scope` is that of the operation.
 */
export function requireEveryLocation(
  { locationIds }: Pick<Reader, "locationIds">,
  { what, scope }: { readonly what: string; readonly scope: ScopeName },
): void {
  if (locationIds === null) return;
  const message = `${what} are shared by all locations of the workspace, and you have access to some of them only.`;
  throw new Refusal("insufficient_scope", { required_scope: scope, message });
}

/** The `scopes` that `own` does not cover. */
export function missingScopes(own: Pick<Reader["grant"], "scopes">, scopes: readonly ScopeName[]): ScopeName[] {
  return scopes.filter((scope) => !holdsScope(own, scope));
}

/** A credential needs all scopes of the role. It has no say about owners, who may do what no credential may, such as pay. */
function mayAssignRole(own: Reader["grant"], role: Role): boolean {
  if (own.role === null) return !isOwner(role) && missingScopes(own, rightsOf[role].scopes).length === 0;
  return own.role === "operator" || isAtLeast(own.role, role);
}

/** Name, e-mail address and password belong to the person's account in every workspace: only that person and the operator may change them (422). */
export function requireOwnAccount(
  { grant, user }: Reader,
  userId: number,
  patch: Readonly<Record<string, unknown>>,
): void {
  if (grant.role === "operator" || user?.id === userId) return;
  const fields = Object.keys(patch).filter((field) => patch[field] !== undefined);
  if (fields.length === 0) return;
  throw new Invalid(
    Object.fromEntries(fields.map((field) => [field, ["Only the person themselves can change this."]])),
  );
}

/** Whether invited owners, who may never join, replace the last one: the operator can invite others. */
export function countsInvitedOwners({ grant }: Reader): boolean {
  return grant.role === "operator";
}

/** The person in whose account an operation works (`within: "account"`). */
export function ownAccount({ user }: Reader): Person {
  if (user === null) throw new Error("an operation within an account has a caller without a person");
  return user;
}
