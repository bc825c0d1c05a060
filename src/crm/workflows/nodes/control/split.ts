/** split: one of several paths by weight, chosen by the run, so that the same run always takes the same path. */
import { z } from "zod";
import { defineControl } from "../../definition/node-type.ts";
import { nodeId } from "../../definition/parts.schema.ts";

const mostPaths = 20;
const heaviest = 1_000_000;
const weightError = `must be a whole number from 0 to ${heaviest}.`;

export const splitNode = defineControl({
  type: "split",
  scopes: () => [],
  schema: z
    .strictObject({
      type: z.literal("split"),
      weights: z
        .record(
          nodeId,
          z.int({ error: weightError }).min(0, { error: weightError }).max(heaviest, { error: weightError }),
          {
            error: 'must be an object of weights by node, such as {"a": 1, "b": 1}.',
          },
        )
        .refine((weights) => Object.keys(weights).length <= mostPaths, {
          error: `must not have more than ${mostPaths} nodes.`,
        })
        .refine((weights) => sumOf(weights) > 0, { error: "must have a weight above zero." }),
    })
    .describe(
      "Continues at one of the nodes of `weights`, in proportion to their weights. A run always takes the same one.",
    ),
  about:
    'continues at one of the nodes of `weights` (`{"a": 3, "b": 1}`: three of four runs at `a`). The id of the run decides, so a run that ' +
    "comes back takes the same path",
  fields: () => [],
  summary: ({ weights }) => `split ${Object.values(weights).join(" : ")}`,
  exits: ({ weights }) =>
    Object.entries(weights).map(([id, weight]) => ({
      when: `${Math.round((weight / sumOf(weights)) * 100)}%`,
      to: id,
      ends: "finished",
    })),
  arrive: async ({ weights }, { nodeId: id }, facts) => ({ to: facts.choose(id, weights) }),
});

function sumOf(weights: Readonly<Record<string, number>>): number {
  return Object.values(weights).reduce((sum, weight) => sum + weight, 0);
}
