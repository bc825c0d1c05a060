/** How a run continues whose action was refused, or whose message failed later. */
import type { AnyNode } from "../definition/node-type.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import type { Transition } from "./run-state.ts";

/** At the node that the action names for errors; without one the run fails. */
export function afterRefusal(types: NodeTypes, node: AnyNode | undefined, error: string): Transition {
  const type = node && types.find(node.type);
  const onError = type?.kind === "action" ? type.onError?.(node!) : undefined;
  return onError === undefined ? { ends: "error", error } : { to: onError, error };
}
