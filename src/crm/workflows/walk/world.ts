/** What a walk through a workflow asks of whatever surrounds it: the engine answers from the database, a dry run by printing. */
import type { NodeOf, NodeType } from "../definition/node.schema.ts";

/** The nodes of these types do something; the others only say where a run goes on. */
export type ActionType = Exclude<NodeType, "wait" | "branch" | "goal" | "exit">;

export type ActionNode = NodeOf<ActionType>;

export interface World {
  /** In milliseconds. */
  readonly now: number;
  /** Whether a filter, as it stands in a node, holds for the contact and the context. */
  holds(when: unknown): Promise<boolean>;
  /** Whether the contact wrote after this moment, in milliseconds. */
  hasReplied(since: number): Promise<boolean>;
  /** Does what a node says. Throws an Invalid or a Refusal for what can never succeed. */
  perform(node: ActionNode): Promise<Performed>;
}

/**
 * `sent`: the contact was written to, so that replies count from here on. `dnd`: it is not to be disturbed, and nothing was done. `apart`: it
 * must be carried out elsewhere; nothing was done.
 */
export type Performed = "done" | "sent" | "dnd" | "apart";
