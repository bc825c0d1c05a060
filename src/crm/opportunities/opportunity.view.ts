/** The response shape of an opportunity (specification, "Opportunity"). */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import { personView, toPerson } from "../../tenancy/users/user.view.ts";
import { stageKinds } from "../../vocabulary/states.ts";
import type { StageKind } from "../../vocabulary/states.ts";
import { namedContact, namedContactSpecimen, toNamedContact } from "../contact.view.ts";
import { customFieldsView } from "../custom-fields/custom-field.view.ts";
import { membersOf, toCustomFields } from "../custom-fields/custom-value.ts";
import type { MembersColumn } from "../custom-fields/custom-value.ts";
import { stageSpecimen, stageView } from "../pipelines/stage.view.ts";

/** An example opportunity. */
export const opportunitySpecimen = {
  id: 1,
  contact: namedContactSpecimen,
  pipeline: { id: 1, name: "Sales" },
  stage: stageSpecimen,
  name: "Difference engine",
  value_cents: 1_250_000,
  owner: { id: 1, name: "Grace Hopper" },
  status: "open" as const,
  lost_reason: null,
  stage_entered_at: "2026-03-01T12:00:00.000Z",
  closed_at: null,
  created_at: "2026-03-01T12:00:00.000Z",
  updated_at: "2026-03-01T12:00:00.000Z",
};

export const opportunityView = z
  .object({
    id: z.int(),
    contact: namedContact.nullable().describe("Null once the contact is deleted."),
    pipeline: z.object({ id: z.int(), name: z.string() }).meta({ id: "PipelineReference" }).nullable(),
    stage: stageView,
    name: z.string().nullable(),
    value_cents: z.int().min(0),
    owner: personView.nullable(),
    status: z.enum(stageKinds).describe("The kind of the stage."),
    lost_reason: z.string().nullable(),
    stage_entered_at: z.iso.datetime().nullable(),
    closed_at: z.iso.datetime().nullable().describe("When it was won or lost."),
    created_at: z.iso.datetime().nullable(),
    updated_at: z.iso.datetime().nullable(),
    ...customFieldsView,
  })
  .meta({
    id: "Opportunity",
    description: "A potential sale to a contact, and its stage.",
    examples: [opportunitySpecimen],
  });

export type OpportunityView = z.output<typeof opportunityView>;

export const opportunityListView = pageOf(opportunityView).meta({
  id: "OpportunityList",
  description: "A page of opportunities, newest first.",
});

/** An opportunity inside its contact. Times in milliseconds. */
export interface EmbeddedOpportunityRow {
  readonly id: number;
  readonly pipeline_id: number;
  readonly pipeline_name: string;
  readonly stage_id: number;
  readonly stage_name: string;
  readonly stage_color: string | null;
  readonly status: StageKind;
  readonly name: string | null;
  readonly value_cents: number;
  readonly owner_id: number | null;
  readonly owner_name: string | null;
  readonly lost_reason: string | null;
  readonly stage_entered_at: number;
  readonly closed_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface OpportunityRow extends EmbeddedOpportunityRow {
  /** Null if the contact is deleted. */
  readonly contact_id: number | null;
  readonly contact_name: string | null;
  readonly custom_fields: MembersColumn;
}

export function toOpportunity(row: OpportunityRow): OpportunityView {
  const members = membersOf(row.custom_fields);
  return {
    id: row.id,
    contact: toNamedContact(row.contact_id, row.contact_name),
    pipeline: { id: row.pipeline_id, name: row.pipeline_name },
    stage: { id: row.stage_id, name: row.stage_name, kind: row.status, color: row.stage_color },
    name: row.name,
    value_cents: row.value_cents,
    owner: toPerson(row.owner_id, row.owner_name),
    status: row.status,
    lost_reason: row.lost_reason,
    stage_entered_at: toTimestamp(row.stage_entered_at),
    closed_at: toNullableTimestamp(row.closed_at),
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
    ...(members.length === 0 ? {} : { custom_fields: toCustomFields(members) }),
  };
}
