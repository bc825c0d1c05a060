/** What goes out for a dry run: what would have been done and when, step by step. */
import { z } from "zod";
import { endedReasons, waitReasons } from "../../../vocabulary/states.ts";
import { formsOf } from "../definition/node-types.ts";
import { workflowNodes } from "../nodes/all.ts";

const place = { at: z.iso.datetime(), node: z.string() };

const performed = workflowNodes.all.filter(({ kind }) => kind !== "control").flatMap(formsOf);

const dryRunStepView = z.union([
  z.object({ ...place, did: z.union(performed).describe("The node, its templates filled in.") }),
  z.object({ ...place, took: z.enum(["then", "else"]).describe("Where the branch continued.") }),
  z.object({
    ...place,
    waits: z.enum(waitReasons),
    until: z.iso.datetime().nullable(),
    event: z.string().nullable(),
  }),
  z.object({ ...place, ended: z.enum(endedReasons), error: z.string().optional() }),
  z.object({ ...place, goes_on: z.literal(true).describe("The workflow loops: what follows repeats.") }),
]);

export type DryRunStep = z.output<typeof dryRunStepView>;

export const dryRunView = z.object({ steps: z.array(dryRunStepView) });
