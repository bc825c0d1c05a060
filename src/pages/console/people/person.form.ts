/** The forms of people: what was typed, and the input of the operations. */
import { isAtLeast, reachesAll } from "../../../operation/roles.ts";
import type { PersonPageView } from "../../../tenancy/users/user.view.ts";
import { roles } from "../../../vocabulary/states.ts";
import type { Role } from "../../../vocabulary/states.ts";

/** As typed. */
export interface MembershipForm {
  readonly role: string;
  readonly where: "all" | "some";
  readonly locationIds: readonly string[];
}

export interface InvitationForm extends MembershipForm {
  readonly email: string;
  readonly name: string;
}

export function emptyInvitation(mayGrantAll: boolean): InvitationForm {
  return { email: "", name: "", role: "member", where: mayGrantAll ? "all" : "some", locationIds: [] };
}

export function toMembershipForm({ role, location_ids: ids }: PersonPageView): MembershipForm {
  return { role, where: ids === null ? "all" : "some", locationIds: (ids ?? []).map(String) };
}

export function readMembershipForm(fields: URLSearchParams): MembershipForm {
  return {
    role: fields.get("role") ?? "",
    where: fields.get("where") === "all" ? "all" : "some",
    locationIds: fields.getAll("location_ids"),
  };
}

export function readInvitationForm(fields: URLSearchParams): InvitationForm {
  return { ...readMembershipForm(fields), email: fields.get("email") ?? "", name: fields.get("name") ?? "" };
}

export function toInvitation({ email, name, ...membership }: InvitationForm) {
  return { email, name, role: toRole(membership.role), location_ids: toLocationIds(membership) };
}

/** Without the role for a person who may not change it. */
export function toMembershipChange(form: MembershipForm, kept: Role | undefined) {
  const role = kept ?? toRole(form.role);
  return { ...(kept === undefined && { role }), location_ids: toLocationIds({ ...form, role }) };
}

/** The roles that a person of this role may assign, highest first. */
export function assignableRoles(own: Role): Role[] {
  return roles.filter((role) => isAtLeast(own, role));
}

/** Refused by the operation where it is unknown. */
function toRole(typed: string): Role {
  return typed as Role;
}

/** Owners have access to every location, whatever is chosen. */
function toLocationIds({ role, where, locationIds }: MembershipForm): readonly string[] | null {
  return where === "all" || (roles.includes(role as Role) && reachesAll(role as Role)) ? null : locationIds;
}
