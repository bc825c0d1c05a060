/** Nodes that do something: what each is handed, and what it may answer. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { NodeOf } from "../definition/node.schema.ts";
import type { ActionType, Performed } from "../walk/world.ts";

/** For whom, and in which words. */
export interface Occasion {
  /** Held until the commit. */
  readonly contactId: number;
  readonly workflowName: string;
  /** The text with its templates filled. */
  fill(text: string): Promise<string>;
}

/**
 * Does what the node says, in the change that also moves the run. Throws an Invalid or a Refusal, whose sentence people read, for what can
 * never succeed.
 */
export type Action<Type extends ActionType> = (
  change: Change<LocationContext>,
  node: NodeOf<Type>,
  occasion: Occasion,
) => Promise<Performed>;
