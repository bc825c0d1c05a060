/** What goes out for a dry run: whether the trigger would start it, and what would have been done and when, step by step. */
import { z } from "zod";
import { endedReasons, waitReasons } from "../../../vocabulary/states.ts";
import { judgedFilterView } from "../engine/filter-judgement.ts";
import type { AnyNode } from "../definition/node-type.ts";

const place = { at: z.iso.datetime(), node: z.string() };

/** It takes many forms, which /docs and workflow.schema.json describe. */
const performedNode = z.record(z.string(), z.unknown()) as unknown as z.ZodType<AnyNode>;

const dryRunStepView = z.union([
  z.object({ ...place, did: performedNode.describe("The node, its templates filled in.") }),
  z.object({
    ...place,
    took: z.string().describe("Where a branch continued: `then`, `else`, `case 2`; or the node that a split chose."),
  }),
  z.object({
    ...place,
    waits: z.enum(waitReasons),
    until: z.iso.datetime().nullable(),
    event: z.string().nullable(),
  }),
  z.object({
    ...place,
    failed: z.string().describe("Why the node was refused."),
    took: z.string().describe("Its `on_error`, where the run continues."),
  }),
  z.object({ ...place, ended: z.enum(endedReasons), error: z.string().optional() }),
  z.object({ ...place, goes_on: z.literal(true).describe("The workflow loops: what follows repeats.") }),
]);

export type DryRunStep = z.output<typeof dryRunStepView>;

const triggerJudgementView = z.object({
  event: z.string(),
  contact_id: z.int().nullable().describe("null for an event of the log without a contact."),
  starts: z.boolean().describe("Whether the event would start a run now."),
  reasons: z.array(z.string()).describe("Why it would not, as sentences."),
  filter: judgedFilterView,
});

export type TriggerJudgement = z.output<typeof triggerJudgementView>;

export const dryRunView = z
  .object({
    trigger: triggerJudgementView.optional().describe("Only for an event."),
    steps: z.array(dryRunStepView).describe("None if the event would not start the workflow."),
  })
  .meta({
    id: "DryRun",
    description: "What a run would do.",
    examples: [
      {
        steps: [
          { at: "2026-03-01T12:00:00.000Z", node: "greet", did: { type: "add_note", body: "Hello Ada" } },
          { at: "2026-03-01T12:00:00.000Z", node: "greet", ended: "finished" },
        ],
      },
    ],
  });

export type DryRunView = z.output<typeof dryRunView>;
