/** Who calls an operation when no credential does: the operator at the terminal, and a person who is signed in. */
import type { Identity } from "../events/call-as.ts";
import { scopeNames } from "../vocabulary/scopes.ts";
import type { Role } from "../vocabulary/states.ts";
import { reachesAll, rightsOf } from "./roles.ts";

/** The operator in a workspace: every location of it, and no person whom records would name. */
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

/** The operator outside of every workspace. No row has this workspace's id, so nothing can be reached by it. */
export const operatorOfService: Identity<null> = operatorOf(0);

/** Where a person works, as their membership says. */
interface Workplace {
  /** Of the workspace. */
  readonly id: number;
  readonly role: Role;
  /** The locations that the membership reaches; null for all of them, those yet to come included. */
  readonly locationIds: readonly number[] | null;
}

/** A signed-in person in one of their workspaces: scopes and locations follow from the role alone. */
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
