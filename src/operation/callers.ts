/** Callers without a credential: the operator at the terminal, and a signed-in person. */
import type { Identity } from "../events/call-as.ts";
import { scopeNames } from "../vocabulary/scopes.ts";
import type { Role } from "../vocabulary/states.ts";
import { reachesAll, rightsOf } from "./roles.ts";

/** The operator in a workspace: has access to every location, and is not recorded as a user. */
export function operatorOf(workspaceId: number): Identity<null> {
  return {
    workspaceId,
    location: null,
    locationIds: null,
    actor: { type: "system", id: null, name: "Operator" },
    grant: { scopes: scopeNames, appId: null, role: "operator" },
    user: null,
  };
}

/** The operator outside every workspace. No row has the workspace id 0, so this caller can access no workspace's data. */
export const operatorOfService: Identity<null> = operatorOf(0);

/** A person's membership in one workspace. */
interface Workplace {
  /** The workspace's id. */
  readonly id: number;
  readonly role: Role;
  /** The locations that the membership gives access to; null for all, including future ones. */
  readonly locationIds: readonly number[] | null;
}

/** A signed-in person in one of their workspaces: the role determines the scopes and the locations. */
export function personCaller(
  { userId, name }: { readonly userId: number; readonly name: string },
  { id: workspaceId, role, locationIds }: Workplace,
): Identity<null> {
  const { scopes } = rightsOf[role];
  return {
    workspaceId,
    location: null,
    locationIds: reachesAll(role) ? null : locationIds,
    actor: { type: "user", id: userId, name },
    grant: { scopes, appId: null, role },
    user: { id: userId, name },
  };
}

/** A signed-in person in their own account, outside every workspace: no row has the workspace id 0. */
export function accountCaller({ userId, name }: { readonly userId: number; readonly name: string }): Identity<null> {
  return personCaller({ userId, name }, { id: 0, role: "member", locationIds: [] });
}

/** The operator in the account of a person. */
export function operatorOfAccount(user: { readonly id: number; readonly name: string }): Identity<null> {
  return { ...operatorOfService, user: { id: user.id, name: user.name } };
}
