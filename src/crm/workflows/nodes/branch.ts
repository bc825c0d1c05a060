/** branch: one of two ways, by what is known of the contact and the context. */
import { z } from "zod";
import { excerpt } from "../definition/excerpt.ts";
import { defineControl } from "../definition/node-type.ts";
import { filter, nodeId } from "../definition/parts.schema.ts";

export const branchNode = defineControl({
  type: "branch",
  schema: z
    .strictObject({ type: z.literal("branch"), when: filter, then: nodeId.optional(), else: nodeId.optional() })
    .refine((node) => node.then !== undefined || node.else !== undefined, {
      error: "is required where there is no else.",
      path: ["then"],
    })
    .describe("Continues at `then` if the filter matches, otherwise at `else`; a missing one ends the run."),
  about: "continues at one of the two; a missing one ends the run",
  fields: ({ when }) => [{ field: "when", holds: "filter", value: when }],
  summary: ({ when }) => `branch by ${excerpt(JSON.stringify(when))}`,
  exits: (node) => [
    { when: "then", to: node.then, ends: "finished" },
    { when: "else", to: node.else, ends: "finished" },
  ],
  arrive: async (node, _standing, facts) => ({ to: (await facts.holds(node.when)) ? node.then : node.else }),
});
