/** Who acts when somebody uses the terminal: the operator, who may do what an owner may. */
import type { Identity } from "../../events/call-as.ts";
import { scopeNames } from "../../vocabulary/scopes.ts";

/** The operator in a workspace: every location of it, and no person whom records would name. */
export function operatorOf(workspaceId: number): Identity<null> {
  return {
    workspaceId,
    location: null,
    locationIds: null,
    actor: { type: "system", id: null, name: "Operator" },
    grant: { scopes: scopeNames, appId: null },
    user: null,
  };
}
