/** What the stage of an opportunity makes of it: status, pipeline, when it closed, why it was lost. Reads and writes nothing. */
import type { FieldErrors } from "../../vocabulary/errors.ts";
import type { StageKind } from "../../vocabulary/states.ts";
import type { FoundStage } from "../pipelines/pipeline.queries.ts";
import type { OpportunityPatch } from "./opportunity.schema.ts";
import type { OpportunityRow } from "./opportunity.view.ts";

/** The columns that are the stage's. */
export function placeIn({ id, name, kind, color, pipeline_id, pipeline_name }: FoundStage) {
  return { pipeline_id, pipeline_name, stage_id: id, stage_name: name, stage_color: color, status: kind };
}

/** Refuses a stage that lies in another pipeline than the one that is named. */
export function judgePipeline(stage: FoundStage | null | undefined, pipelineId: number | undefined): FieldErrors {
  if (!stage || pipelineId === undefined || stage.pipeline_id === pipelineId) return {};
  return { stage_id: ["The stage id field must name a stage of the pipeline."] };
}

/**
 * Refuses to lose an opportunity without a reason (specification, "Opportunity"), and to take the reason away from one that is lost.
 * `isEntered`: whether it comes into a stage of this kind now.
 */
export function judgeReason(
  kind: StageKind | undefined,
  isEntered: boolean,
  reason: string | null | undefined,
): FieldErrors {
  const isMissing = reason === null || (reason === undefined && isEntered);
  return kind === "lost" && isMissing
    ? { lost_reason: ["The lost reason field is required when the stage is a lost one."] }
    : {};
}

/** The opportunity after a patch that was judged. `stage` and `owner` are those that it names; `now` in milliseconds. */
export function patched(
  before: OpportunityRow,
  patch: OpportunityPatch,
  { stage, owner }: { stage: FoundStage | null; owner: { id: number; name: string } | null },
  now: number,
): OpportunityRow {
  const moved = stage !== null && stage.id !== before.stage_id ? stage : undefined;
  const status = moved?.kind ?? before.status;
  return {
    ...before,
    ...(moved === undefined ? {} : { ...placeIn(moved), stage_entered_at: now }),
    closed_at: status === "open" ? null : status === before.status ? before.closed_at : now,
    lost_reason: status === "lost" ? (patch.lost_reason ?? before.lost_reason) : null,
    name: patch.name === undefined ? before.name : patch.name,
    value_cents: patch.value_cents ?? before.value_cents,
    ...(patch.owner_user_id === undefined ? {} : { owner_id: owner?.id ?? null, owner_name: owner?.name ?? null }),
    updated_at: Math.max(before.updated_at, now),
  };
}
