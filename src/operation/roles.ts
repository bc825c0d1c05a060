/** The one table of what a person of each role may do and reach; nothing else derives rights from a role. */
import { scopeNames } from "../vocabulary/scopes.ts";
import type { ScopeName } from "../vocabulary/scopes.ts";
import { roles } from "../vocabulary/states.ts";
import type { Role } from "../vocabulary/states.ts";

interface RoleRights {
  /** What of the API's scopes the role holds. */
  readonly scopes: readonly ScopeName[];
  /** `workspace`: every location, those yet to come included. `membership`: the locations that the membership names. */
  readonly reach: "workspace" | "membership";
}

/** What a member does with customers; integrations, people and settings are for managers and owners. */
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
  "users.readonly",
] as const satisfies readonly ScopeName[];

export const rightsOf: Readonly<Record<Role, RoleRights>> = {
  owner: { scopes: scopeNames, reach: "workspace" },
  manager: { scopes: scopeNames, reach: "membership" },
  member: { scopes: memberScopes, reach: "membership" },
};

/** Whether `role` includes everything that `least` may do. */
export function isAtLeast(role: Role, least: Role): boolean {
  // The vocabulary lists them from the most to the least.
  return roles.indexOf(role) <= roles.indexOf(least);
}

/** Whether a person of this role reaches every location of the workspace, whatever the membership names. */
export function reachesAll(role: Role): boolean {
  return rightsOf[role].reach === "workspace";
}
