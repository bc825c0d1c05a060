/** Checks that the location has the records that nodes name: channels, tags, pipelines, stages, users, workflows, files. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { textKey } from "../../../kit/text-key.ts";
import { listed } from "../../../storage/json.ts";
import { sql } from "../../../storage/sql-text.ts";
import { findUsersWithAccess } from "../../../tenancy/users/user.queries.ts";
import { channelOfLocation } from "../../channels/channel.queries.ts";
import { pipelineOfLocation, stageOfLocation } from "../../pipelines/pipeline.queries.ts";
import { personWithAccess } from "../../references.ts";
import { findTagsByKeys } from "../../tags/tag.queries.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import type { Fault } from "./faults.ts";
import { judgeAttachments } from "./attachments.ts";
import { fieldsIn } from "./node-fields.ts";

const channelsText = sql`select id from channels where location_id = ? and id in ${listed}`;
const pipelinesText = sql`select id from pipelines where location_id = ? and id in ${listed}`;
const stagesText = sql`select stages.id, stages.pipeline_id from stages join pipelines on pipelines.id = stages.pipeline_id
  where pipelines.location_id = ? and stages.id in ${listed}`;
const workflowsText = sql`select id from workflows where location_id = ? and id in ${listed}`;
const tagsText = sql`select id from tags where workspace_id = ? and id in ${listed}`;

/** One statement for each kind of record, however many nodes name some. `workflowId`: the workflow that has the definition. */
export async function judgeReferences(
  reader: Reader<LocationContext>,
  types: NodeTypes,
  definition: WorkflowDefinition,
  workflowId?: number,
): Promise<Fault[]> {
  return [
    ...(await judgeChannels(reader, types, definition)),
    ...(await judgeTags(reader, types, definition)),
    ...(await judgeStages(reader, types, definition)),
    ...(await judgeUsers(reader, types, definition)),
    ...(await judgeWorkflows(reader, types, definition)),
    ...(await judgeAttachments(reader, fieldsIn(types, definition, "attachments"), workflowId)),
  ];
}

async function judgeChannels(
  reader: Reader<LocationContext>,
  types: NodeTypes,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  const named = fieldsIn(types, definition, "channel");
  const channels = await findIds(reader, channelsText, reader.location.id, named);
  return named
    .filter(({ value }) => !channels.has(value))
    .map(({ place }) => ({ place, predicate: channelOfLocation.predicate }));
}

async function judgeTags(
  reader: Reader<LocationContext>,
  types: NodeTypes,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  const named = fieldsIn(types, definition, "tag");
  const keys = named.flatMap(({ value }) => (typeof value === "string" ? [textKey(value)] : []));
  const ids = named.flatMap(({ value }) => (typeof value === "number" ? [{ value }] : []));
  const byKey = await findTagsByKeys(reader, [...new Set(keys)]);
  const byId = await findIds(reader, tagsText, reader.workspaceId, ids);
  return named
    .filter(({ value }) => !(typeof value === "string" ? byKey.has(textKey(value)) : byId.has(value)))
    .map(({ place }) => ({ place, predicate: "must name a tag of the workspace." }));
}

async function judgeStages(
  reader: Reader<LocationContext>,
  types: NodeTypes,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  const named = fieldsIn(types, definition, "pipeline", "stage");
  const inPipelines = named.filter(({ holds }) => holds === "pipeline");
  const inStages = named.filter(({ holds }) => holds === "stage");
  const pipelines = await findIds(reader, pipelinesText, reader.location.id, inPipelines);
  const pipelineOf = await findPipelinesOfStages(reader, inStages);
  return named.flatMap((field): Fault[] => {
    const { place, value } = field;
    if (field.holds === "pipeline")
      return pipelines.has(value) ? [] : [{ place, predicate: pipelineOfLocation.predicate }];
    const home = pipelineOf.get(value);
    if (home === undefined) return [{ place, predicate: stageOfLocation.predicate }];
    return home === field.pipelineId ? [] : [{ place, predicate: "must name a stage of the pipeline." }];
  });
}

async function judgeUsers(
  reader: Reader<LocationContext>,
  types: NodeTypes,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  const named = fieldsIn(types, definition, "user");
  if (named.length === 0) return [];
  const users = await findUsersWithAccess(reader, new Set(named.map(({ value }) => value)));
  return named
    .filter(({ value }) => !users.has(value))
    .map(({ place }) => ({ place, predicate: personWithAccess.predicate }));
}

async function judgeWorkflows(
  reader: Reader<LocationContext>,
  types: NodeTypes,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  const named = fieldsIn(types, definition, "workflow");
  const workflows = await findIds(reader, workflowsText, reader.location.id, named);
  return named
    .filter(({ value }) => !workflows.has(value))
    .map(({ place }) => ({ place, predicate: "must name a workflow of the location." }));
}

interface Named {
  readonly value: number;
}

/** The pipeline of each stage of the location, by the stage. */
async function findPipelinesOfStages(
  reader: Reader<LocationContext>,
  named: readonly Named[],
): Promise<ReadonlyMap<number, number>> {
  if (named.length === 0) return new Map();
  const stages = await reader.rows<{ id: number; pipeline_id: number }>(stagesText, [
    reader.location.id,
    JSON.stringify(named.map(({ value }) => value)),
  ]);
  return new Map(stages.map(({ id, pipeline_id }) => [id, pipeline_id]));
}

async function findIds(
  reader: Reader<LocationContext>,
  text: typeof channelsText,
  owner: number,
  named: readonly Named[],
): Promise<ReadonlySet<number>> {
  if (named.length === 0) return new Set();
  const ids = JSON.stringify([...new Set(named.map(({ value }) => value))]);
  const found = await reader.rows<{ id: number }>(text, [owner, ids]);
  return new Set(found.map(({ id }) => id));
}
