/** branch: one of two ways, by what is known of the contact and the context. */
import type { NodeOf } from "../definition/node.schema.ts";
import type { Step } from "../walk/standing.ts";
import type { World } from "../walk/world.ts";

export async function takeBranch(node: NodeOf<"branch">, world: World): Promise<Step> {
  return { to: (await world.holds(node.when)) ? node.then : node.else };
}
