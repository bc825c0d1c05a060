/** goal: what the workflow is for. A run that waits before it jumps here as soon as the filter holds; one that arrives passes through. */
import { z } from "zod";
import { excerpt } from "../../definition/excerpt.ts";
import { defineControl } from "../../definition/node-type.ts";
import { filter, next } from "../../definition/parts.schema.ts";

export const goalNode = defineControl({
  type: "goal",
  scopes: () => [],
  schema: z
    .strictObject({ type: z.literal("goal"), when: filter, next })
    .describe(
      "As soon as the filter matches, a run that waits before this node jumps here. A run that arrives passes through.",
    ),
  about:
    "as soon as `when` matches, a run waiting before it jumps here and continues at `next`; without `next` it ends as `goal_met`. " +
    "A run that arrives otherwise passes through",
  fields: ({ when }) => [{ field: "when", holds: "filter", value: when }],
  summary: ({ when }) => `goal ${excerpt(JSON.stringify(when))}`,
  exits: (node) => [{ when: "next", to: node.next, ends: "goal_met" }],
  arrive: async (node, _standing, facts) => ((await facts.holds(node.when)) ? met(node) : { to: node.next }),
  jump: (node) => ({ when: node.when, transition: met(node) }),
});

function met(node: { readonly next?: string | undefined }) {
  return { to: node.next, orEnds: "goal_met" } as const;
}
