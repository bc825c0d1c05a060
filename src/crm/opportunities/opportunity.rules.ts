/** Pure rules: the fields that follow from an opportunity's stage, such as status, pipeline, closing time and lost reason. */
import type { FieldErrors } from "../../vocabulary/errors.ts";
import type { StageKind } from "../../vocabulary/states.ts";
import type { FoundStage } from "../pipelines/pipeline.queries.ts";
import type { OpportunityPatch } from "./opportunity.schema.ts";
import type { OpportunityRow } from "./opportunity.view.ts";

/** The columns that follow from the stage. */
export function columnsOfStage({ id, name, kind, color, pipeline_id, pipeline_name }: FoundStage) {
  return { pipeline_id, pipeline_name, stage_id: id, stage_name: name, stage_color: color, status: kind };
}

/** Refuses a stage of another pipeline. */
export function validatePipeline(stage: FoundStage | null | undefined, pipelineId: number | undefined): FieldErrors {
  if (!stage || pipelineId === undefined || stage.pipeline_id === pipelineId) return {};
  return { stage_id: ["The stage id field must name a stage of the pipeline."] };
}

/**
 * Requires a reason for a lost opportunity (specification, "Opportunity"), and refuses to remove the reason of a lost one. `isEntered`:
 * whether the opportunity is moving into a stage of this kind.
 */
export function validateLostReason(
  kind: StageKind | undefined,
  isEntered: boolean,
  reason: string | null | undefined,
): FieldErrors {
  const isMissing = reason === null || (reason === undefined && isEntered);
  return kind === "lost" && isMissing
    ? { lost_reason: ["The lost reason field is required when the stage is a lost one."] }
    : {};
}

/** The opportunity after a validated patch. `stage` and `owner`: the records that the patch names; `now` in milliseconds. */
export function applyPatch(
  before: OpportunityRow,
  patch: OpportunityPatch,
  { stage, owner }: { stage: FoundStage | null; owner: { id: number; name: string } | null },
  now: number,
): OpportunityRow {
  const moved = stage !== null && stage.id !== before.stage_id ? stage : undefined;
  const status = moved?.kind ?? before.status;
  return {
    ...before,
    ...(moved === undefined ? {} : { ...columnsOfStage(moved), stage_entered_at: now }),
    closed_at: status === "open" ? null : status === before.status ? before.closed_at : now,
    lost_reason: status === "lost" ? (patch.lost_reason ?? before.lost_reason) : null,
    name: patch.name === undefined ? before.name : patch.name,
    value_cents: patch.value_cents ?? before.value_cents,
    ...(patch.owner_user_id === undefined ? {} : { owner_id: owner?.id ?? null, owner_name: owner?.name ?? null }),
    updated_at: Math.max(before.updated_at, now),
  };
}
