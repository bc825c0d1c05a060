/** Changes and deletes pipelines. Opportunities leave removed stages first, in pieces, each with opportunity.stage_changed. */
import type { Caller, Change, LocationContext, Reader } from "../../events/caller.ts";
import { truncate } from "../../kit/text.ts";
import { listed } from "../../storage/json.ts";
import { forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { lockContacts } from "../contact-activity.ts";
import type { PipelinePatch } from "../pipelines/pipeline.schema.ts";
import { lockPipeline, writePipeline } from "../pipelines/pipeline.service.ts";
import type { PipelineView } from "../pipelines/pipeline.view.ts";
import type { StageView } from "../pipelines/stage.view.ts";
import { updateOpportunity } from "./opportunity.service.ts";

/** Opportunities per transaction, to keep its locks short. */
const opportunitiesPerChange = 100;

/**
 * Changes the given fields; the pipeline itself changes in one transaction, after the opportunities of removed stages have moved. If it is
 * interrupted, run it again to finish. Refuses `pipeline.not_found`, and with 422 a stage of another pipeline, another kind for a stage,
 * and a removed stage with opportunities without a remaining `move_to`.
 */
export async function updatePipeline(
  caller: Caller<LocationContext>,
  id: number,
  patch: PipelinePatch,
  progress: (count: number) => unknown,
): Promise<PipelineView> {
  let count = 0;
  for (;;) {
    const done = await caller.change((change) => changePiece(change, id, patch), "large");
    if (typeof done !== "number") return done;
    count += done;
    await progress(count);
  }
}

/** The changed pipeline, or the number of opportunities that were moved before. */
async function changePiece(
  change: Change<LocationContext>,
  id: number,
  patch: PipelinePatch,
): Promise<PipelineView | number> {
  const before = await lockPipeline(change, id);
  const { stages, move_to: moveTo = null } = patch;
  if (stages === undefined) return writePipeline(change, before, patch);
  const kept = before.stages.filter((stage) => stages.some((given) => given.id === stage.id));
  const removed = before.stages.filter((stage) => !kept.includes(stage));
  refuseFaults(before, patch, kept);
  if (moveTo !== null) {
    const moved = await movePiece(change, removed, moveTo);
    if (moved === opportunitiesPerChange) return moved;
  }
  // From here on none enters a removed stage: a foreign key waits for this lock.
  await change.rows(lockStagesText, [idsOf(removed)]);
  const filled = await findFilled(change, removed);
  if (filled.length === 0) return writePipeline(change, before, patch);
  if (moveTo !== null) return 0;
  throw new Invalid({
    move_to: filled.map((name) => `The stage ${name} has opportunities: name the stage that receives them.`),
  });
}

function refuseFaults(
  { stages: known }: PipelineView,
  { stages = [], move_to: moveTo }: PipelinePatch,
  kept: readonly StageView[],
) {
  const errors: FieldErrors = {};
  const seen = new Set<number>();
  for (const [index, { id, kind }] of stages.entries()) {
    if (typeof id !== "number") continue;
    const stage = known.find((one) => one.id === id);
    if (stage === undefined || seen.has(id)) {
      errors[`stages.${index}.id`] = [`The stages ${index} id field must name a stage of the pipeline, once.`];
    } else if (stage.kind !== kind) {
      errors[`stages.${index}.kind`] = [`The kind of a stage cannot change; ${stage.name} is ${stage.kind}.`];
    }
    seen.add(id);
  }
  if (typeof moveTo === "number" && !kept.some(({ id }) => id === moveTo))
    errors["move_to"] = ["The move to field must name a stage of the pipeline that is not removed."];
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

const pieceText = sql`select id, contact_id from opportunities where stage_id in ${listed}
  order by contact_id, id limit ${opportunitiesPerChange}`;
const heldText = sql`select id, stage_id, lost_reason from opportunities where id in ${listed} and stage_id in ${listed}
  order by id${forUpdate("opportunities")}`;

interface HeldOpportunity {
  readonly id: number;
  readonly stage_id: number;
  readonly lost_reason: string | null;
}

/** Moves the next opportunities of these stages; those that were lost before keep their reason. Resolves to how many there were. */
async function movePiece(change: Change<LocationContext>, stages: readonly StageView[], to: number): Promise<number> {
  const found = await change.rows<{ id: number; contact_id: number }>(pieceText, [idsOf(stages)]);
  await lockContacts(change, [...new Set(found.map(({ contact_id: contact }) => contact))]);
  // Another change may have moved or deleted some of them in the meantime.
  const held = await change.rows<HeldOpportunity>(heldText, [idsOf(found), idsOf(stages)]);
  const names = new Map(stages.map(({ id, name }) => [id, name]));
  for (const { id, stage_id: from, lost_reason: reason } of held) {
    // A lost stage asks for a reason; any other ignores it.
    const removed = truncate(`The stage ${names.get(from)} was removed.`, limits.lostReason);
    await updateOpportunity(change, id, { stage_id: to, lost_reason: reason ?? removed });
  }
  return found.length;
}

const lockStagesText = sql`select id from stages where id in ${listed} order by id${forUpdate("stages")}`;
const filledText = sql`select name from stages where id in ${listed}
  and exists (select 1 from opportunities where opportunities.stage_id = stages.id) order by place`;

/** The names of the stages that have opportunities. */
async function findFilled(reader: Reader<LocationContext>, stages: readonly StageView[]): Promise<string[]> {
  const filled = await reader.rows<{ name: string }>(filledText, [idsOf(stages)]);
  return filled.map(({ name }) => name);
}

function idsOf(records: readonly { readonly id: number }[]): string {
  return JSON.stringify(records.map(({ id }) => id));
}

const othersText = "select id from pipelines where location_id = ? and id <> ? limit 1";

/** Deletes an empty pipeline. Refuses `pipeline.not_found`, and with 422 on `id` one with opportunities and the last one of a location. */
export async function deletePipeline(change: Change<LocationContext>, id: number): Promise<void> {
  const { stages } = await lockPipeline(change, id);
  await change.rows(lockStagesText, [idsOf(stages)]);
  const [other] = await change.rows(othersText, [change.location.id, id]);
  if (other === undefined) throw new Invalid({ id: ["The last pipeline of a location cannot be deleted."] });
  const filled = await findFilled(change, stages);
  if (filled.length > 0) {
    throw new Invalid({ id: [`The pipeline has opportunities (${filled.join(", ")}): move or delete them first.`] });
  }
  change.send("delete from pipelines where id = ?", [id]);
}
