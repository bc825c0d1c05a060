/** What a walk through a workflow needs of its surroundings: the engine queries the database, and a dry run records. */
import type { AnyNode, Performed, RunFacts } from "../definition/node-type.ts";
import type { NodeTypes } from "../definition/node-types.ts";

/** Why a node cannot be performed here. `isolated`: it needs a transaction of its own. `post`: it posts, after the commit. Nothing was done. */
export type Deferred = "isolated" | "post";

export interface World extends RunFacts {
  readonly types: NodeTypes;
  /** Performs an action or a post. Throws an Invalid or a Refusal for what can never succeed. */
  perform(node: AnyNode): Promise<Performed | Deferred>;
}
