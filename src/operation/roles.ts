/** The permissions and locations of each role: the only table that derives rights from a role. */
import { scopeNames } from "../vocabulary/scopes.ts";
import type { ScopeName } from "../vocabulary/scopes.ts";
import { roles } from "../vocabulary/states.ts";
import type { Role } from "../vocabulary/states.ts";

interface RoleRights {
  /** The API scopes of the role. */
  readonly scopes: readonly ScopeName[];
  /** `workspace`: every location, including future ones. `membership`: the locations that the membership names. */
  readonly reach: "workspace" | "membership";
}

/** Members work with customers; integrations, people and settings are for managers and owners. */
const memberScopes = [
  "locations.readonly",
  "contacts.readonly",
  "contacts.write",
  "opportunities.readonly",
  "opportunities.write",
  "conversations.readonly",
  "conversations.write",
  "tasks.readonly",
  "tasks.write",
  "channels.readonly",
  "workflows.readonly",
  "tags.readonly",
  "custom_fields.readonly",
  "users.readonly",
] as const satisfies readonly ScopeName[];

/** Locations belong to the workspace, whose owners create and change them. The audit log shows what owners and people of other locations do. */
const managerScopes = scopeNames.filter((name) => name !== "locations.write" && name !== "audit.readonly");

export const rightsOf: Readonly<Record<Role, RoleRights>> = {
  owner: { scopes: scopeNames, reach: "workspace" },
  manager: { scopes: managerScopes, reach: "membership" },
  member: { scopes: memberScopes, reach: "membership" },
};

/** A workspace always has at least one person with this role. */
export const ownerRole: Role = "owner";

export function isOwner(role: Role): boolean {
  return role === ownerRole;
}

/** Whether `role` includes all rights of `least`. */
export function isAtLeast(role: Role, least: Role): boolean {
  // The vocabulary lists roles from most to least privileged.
  return roles.indexOf(role) <= roles.indexOf(least);
}

/** Whether this role gives access to every location of the workspace, whatever the membership names. */
export function reachesAll(role: Role): boolean {
  return rightsOf[role].reach === "workspace";
}
