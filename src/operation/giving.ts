/** Nobody gives away more than they hold: what is judged before a key, an app, an invitation, a role or a consent is granted. */
import type { Reader } from "../events/caller.ts";
import { Invalid } from "../vocabulary/errors.ts";
import type { FieldErrors } from "../vocabulary/errors.ts";
import type { ScopeName } from "../vocabulary/scopes.ts";
import type { Role } from "../vocabulary/states.ts";
import { holdsScope } from "./permission.ts";
import { isAtLeast } from "./roles.ts";

/** What is to be given, and by which input fields it was asked for. */
interface Gift {
  readonly scopes?: readonly ScopeName[] | undefined;
  /** null: every location of the workspace, those yet to come included. */
  readonly locationIds?: readonly number[] | null | undefined;
  readonly role?: Role | undefined;
}

/** Refuses with 422 on `scopes`, `location_ids` and `role`, each naming what exceeds the giver's own grant. */
export function requireWithinGrant({ grant, locationIds: reach }: Reader, gift: Gift): void {
  const errors: FieldErrors = {};
  const scopes = exceeds(grant, gift.scopes ?? []);
  if (scopes.length > 0) errors["scopes"] = [`You cannot give what you do not hold: ${scopes.join(", ")}.`];
  if (gift.locationIds !== undefined && reach !== null) {
    const beyond = gift.locationIds?.filter((id) => !reach.includes(id));
    if (beyond === undefined) errors["location_ids"] = ["You cannot give every location: name those you reach."];
    else if (beyond.length > 0) errors["location_ids"] = [`You do not reach the locations ${beyond.join(", ")}.`];
  }
  if (gift.role !== undefined && !mayGiveRole(grant.role, gift.role))
    errors["role"] = [
      `You cannot make ${gift.role === "owner" ? "an" : "a"} ${gift.role}: that is more than your own role.`,
    ];
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

/** Those of `scopes` that `own` does not cover. */
export function exceeds(own: Pick<Reader["grant"], "scopes">, scopes: readonly ScopeName[]): ScopeName[] {
  return scopes.filter((scope) => !holdsScope(own, scope));
}

function mayGiveRole(own: Reader["grant"]["role"], given: Role): boolean {
  return own === "operator" || (own !== null && isAtLeast(own, given));
}

/** A person's name, address and password are theirs in every workspace: refuses, with 422 on each, all but the person and the operator. */
export function requireOwnAccount(
  { grant, user }: Reader,
  userId: number,
  given: Readonly<Record<string, unknown>>,
): void {
  if (grant.role === "operator" || user?.id === userId) return;
  const fields = Object.keys(given).filter((field) => given[field] !== undefined);
  if (fields.length === 0) return;
  throw new Invalid(
    Object.fromEntries(fields.map((field) => [field, ["Only the person themselves can change this."]])),
  );
}

/** Whether a link that lets its holder act as `person` may be shown to the caller instead of mailed to the person. */
export function maySeeLinkOf(
  { grant }: Reader,
  { isMemberElsewhere }: { readonly isMemberElsewhere: boolean },
): boolean {
  return grant.role === "operator" || !isMemberElsewhere;
}
