/** The input of an opportunity. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { filledText, filterId, nullableId, nullableText, recordId, wholeNumber } from "../../kit/input/fields.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { limits } from "../../vocabulary/limits.ts";
import { customFieldsInput } from "../custom-fields/custom-field.schema.ts";
import { stageKinds } from "../../vocabulary/states.ts";

const shared = {
  name: nullableText(limits.name),
  value_cents: wholeNumber().optional(),
  owner_user_id: nullableId(),
  lost_reason: nullableText(limits.lostReason),
  ...customFieldsInput,
};

/** POST /opportunities. */
export const opportunityInput = creation({
  contact_id: recordId(),
  pipeline_id: recordId(),
  stage_id: recordId(),
  ...shared,
}).meta({
  examples: [{ contact_id: 1, pipeline_id: 1, stage_id: 1, name: "Difference engine", value_cents: 1_250_000 }],
});

export type OpportunityInput = z.output<typeof opportunityInput>;

/** PATCH /opportunities/{id}: omitted fields are unchanged. */
export const opportunityPatch = z
  .object({ stage_id: recordId().optional(), ...shared })
  .meta({ examples: [{ stage_id: 5, lost_reason: "Too expensive" }] });

export type OpportunityPatch = z.output<typeof opportunityPatch>;

/** GET /opportunities. Filters are combined with AND. */
export const opportunityListQuery = z.object({
  contact_id: filterId().describe("Only opportunities of this contact."),
  pipeline_id: filterId().describe("Only opportunities in this pipeline."),
  stage_id: filterId().describe("Only opportunities in this stage."),
  owner_user_id: filterId().describe("Only opportunities owned by this person."),
  status: z.enum(stageKinds).optional().describe("Only opportunities with this status."),
  filters: filledText().describe(
    'Conditions on custom fields, as JSON: `[{"field": "custom.plan", "op": "eq", "value": "Pro"}]`.',
  ),
  ...pageQuery.shape,
});

export type OpportunityListQuery = z.output<typeof opportunityListQuery>;
