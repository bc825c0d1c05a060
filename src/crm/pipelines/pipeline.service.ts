/** Creates pipelines with their stages. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { listed } from "../../storage/json.ts";
import { lockKeys } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { Pipeline, Stage } from "./pipeline.entity.ts";
import { getPipeline } from "./pipeline.queries.ts";
import type { PipelineInput, PipelinePatch } from "./pipeline.schema.ts";
import type { PipelineView } from "./pipeline.view.ts";

/** The pipeline of every new location. The migration that introduced pipelines added the same one to existing locations. */
const defaultPipeline: PipelineInput = {
  name: "Sales",
  stages: [
    { name: "Qualification", kind: "open" },
    { name: "Proposal", kind: "open" },
    { name: "Negotiation", kind: "open" },
    { name: "Won", kind: "won" },
    { name: "Lost", kind: "lost" },
  ],
};

/** Creates a pipeline with its stages; raises no event. */
export function createPipeline(change: Change<LocationContext>, input: PipelineInput): Promise<PipelineView> {
  return insertPipeline(change, change.location.id, input);
}

/** Locks the pipelines of the location against other changes of them until the commit. Refuses `pipeline.not_found`. */
export async function lockPipeline(change: Change<LocationContext>, id: number): Promise<PipelineView> {
  lockKeys(change, [`pipelines of ${change.location.id}`]);
  return getPipeline(change, id);
}

const shiftText = "update stages set place = -id where pipeline_id = ?";
const stageText = "update stages set place = ?, name = ?, color = ? where id = ?";
const removeText = sql`delete from stages where pipeline_id = ? and id in ${listed}`;

/** Writes the name and the stages of a locked pipeline; stages of it that `stages` does not name are removed, and must be empty. */
export async function writePipeline(
  change: Change<LocationContext>,
  before: PipelineView,
  { name, stages }: Pick<PipelinePatch, "name" | "stages">,
): Promise<PipelineView> {
  const { id } = before;
  if (name !== undefined) change.send("update pipelines set name = ? where id = ?", [name, id]);
  if (stages !== undefined) {
    const removed = before.stages.filter((stage) => !stages.some((kept) => kept.id === stage.id));
    change.send(removeText, [id, JSON.stringify(removed.map((stage) => stage.id))]);
    // The places are unique, so they make room before they are given again.
    change.send(shiftText, [id]);
    const colors = new Map(before.stages.map((stage) => [stage.id, stage.color]));
    for (const [index, { id: stageId, ...stage }] of stages.entries()) {
      if (typeof stageId === "number") {
        const color = stage.color === undefined ? colors.get(stageId)! : stage.color;
        change.send(stageText, [index + 1, stage.name, color, stageId]);
      } else change.em.create(Stage, { ...stage, pipeline: id, place: index + 1 });
    }
    await change.em.flush();
  }
  return getPipeline(change, id);
}

/** Creates the default pipeline of a new location. */
export function createDefaultPipeline(change: Change, locationId: number): Promise<PipelineView> {
  return insertPipeline(change, locationId, defaultPipeline);
}

async function insertPipeline(
  { em, now }: Change,
  locationId: number,
  { name, stages }: PipelineInput,
): Promise<PipelineView> {
  const pipeline = em.create(Pipeline, { location: em.getReference(Location, locationId), name, createdAt: now });
  const made = stages.map((stage, index) => em.create(Stage, { ...stage, pipeline, place: index + 1 }));
  await em.flush();
  return {
    id: pipeline.id,
    name,
    stages: made.map((stage) => ({ id: stage.id, name: stage.name, kind: stage.kind, color: stage.color ?? null })),
  };
}
