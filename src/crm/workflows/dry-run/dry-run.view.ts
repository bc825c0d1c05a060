/** What goes out for a dry run: what would have been done and when, step by step. */
import { z } from "zod";
import { endedReasons, waitReasons } from "../../../vocabulary/states.ts";
import { formsOf } from "../definition/node-types.ts";
import { workflowNodes } from "../nodes/all.ts";

const place = { at: z.iso.datetime(), node: z.string() };

const performed = workflowNodes.all.filter(({ kind }) => kind !== "control").flatMap(formsOf);

const dryRunStepView = z.union([
  z.object({ ...place, did: z.union(performed).describe("The node, its texts filled.") }),
  z.object({ ...place, took: z.enum(["then", "else"]).describe("Where a branch went on.") }),
  z.object({
    ...place,
    waits: z.enum(waitReasons),
    until: z.iso.datetime().nullable(),
    event: z.string().nullable(),
  }),
  z.object({ ...place, ended: z.enum(endedReasons), error: z.string().optional() }),
  z.object({ ...place, goes_on: z.literal(true).describe("It goes round: what follows is more of the same.") }),
]);

export type DryRunStep = z.output<typeof dryRunStepView>;

export const dryRunView = z.object({ steps: z.array(dryRunStepView) });
