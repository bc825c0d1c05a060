/** What a walk through a workflow asks of its surroundings: the engine answers from the database, a dry run by recording. */
import type { AnyNode, Performed, RunFacts } from "../definition/node-type.ts";
import type { NodeTypes } from "../definition/node-types.ts";

/** Why a node cannot be performed here. `isolated`: it needs a transaction of its own. `post`: it posts, after the commit. Nothing was done. */
export type Deferred = "isolated" | "post";

export interface World extends RunFacts {
  readonly types: NodeTypes;
  /** Performs an action or a post. Throws an Invalid or a Refusal for what can never succeed. */
  perform(node: AnyNode): Promise<Performed | Deferred>;
}
