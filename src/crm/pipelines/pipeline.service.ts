/** Creates pipelines with their stages. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { Pipeline, Stage } from "./pipeline.entity.ts";
import type { PipelineInput } from "./pipeline.schema.ts";
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
