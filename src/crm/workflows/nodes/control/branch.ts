/** branch: one of several paths, by a filter or by the first of several cases that matches. */
import { z } from "zod";
import { excerpt } from "../../definition/excerpt.ts";
import { defineControl } from "../../definition/node-type.ts";
import type { Exit, FieldFault } from "../../definition/node-type.ts";
import { filter, nodeId } from "../../definition/parts.schema.ts";

const mostCases = 20;

const byFilter = z
  .strictObject({ type: z.literal("branch"), when: filter, then: nodeId.optional(), else: nodeId.optional() })
  .refine((node) => node.then !== undefined || node.else !== undefined, {
    error: "is required where there is no else.",
    path: ["then"],
  })
  .describe("Continues at `then` if the filter matches, otherwise at `else`; a missing one ends the run.");

const byCases = z
  .strictObject({
    type: z.literal("branch"),
    cases: z
      .array(z.strictObject({ when: filter, next: nodeId }), { error: "must be a list of cases." })
      .min(1, { error: "must have at least one case." })
      .max(mostCases, { error: `must not have more than ${mostCases} cases.` }),
    else: nodeId.optional(),
  })
  .describe("Continues at the `next` of the first case whose filter matches, otherwise at `else`.");

const schema = z.union([byFilter, byCases]);

type BranchNode = z.output<typeof schema>;

export const branchNode = defineControl({
  type: "branch",
  scopes: () => [],
  schema,
  formOf: findForm,
  about: [
    "continues at one of the two; a missing one ends the run",
    "continues at the `next` of the first of the `cases` (`{when, next}`, at most 20) whose filter matches, otherwise at `else`; " +
      "without `else` the run ends",
  ],
  fields: (node) =>
    "cases" in node
      ? node.cases.map(({ when }, place) => ({ field: `cases.${place}.when`, holds: "filter", value: when }))
      : [{ field: "when", holds: "filter", value: node.when }],
  summary: (node) =>
    "cases" in node ? `branch by ${node.cases.length} cases` : `branch by ${excerpt(JSON.stringify(node.when))}`,
  exits: exitsOfBranch,
  async arrive(node, _state, facts) {
    if ("when" in node) return { to: (await facts.holds(node.when)) ? node.then : node.else };
    for (const { when, next } of node.cases) if (await facts.holds(when)) return { to: next };
    return { to: node.else };
  },
});

function findForm(given: Readonly<Record<string, unknown>>): z.ZodType | FieldFault {
  if (given["cases"] === undefined) return byFilter;
  const other = ["when", "then"].find((name) => given[name] !== undefined);
  if (other === undefined) return byCases;
  return { field: other, predicate: "must not stand beside cases: each case has its own when and next." };
}

function exitsOfBranch(node: BranchNode): Exit[] {
  const otherwise: Exit = { when: "else", to: node.else, ends: "finished" };
  if ("when" in node) return [{ when: "then", to: node.then, ends: "finished" }, otherwise];
  const cases = node.cases.map(({ when, next }): Exit => ({
    when: excerpt(JSON.stringify(when)),
    to: next,
    ends: "finished",
  }));
  return [...cases, otherwise];
}
