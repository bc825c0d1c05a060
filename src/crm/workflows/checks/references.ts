/** Whether the location has what the nodes of a definition name: channels, tags, pipelines, stages, people. */
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
import type { NodeOf, NodeType } from "../definition/node.schema.ts";
import type { Fault } from "./faults.ts";

const channelsText = sql`select id from channels where location_id = ? and id in ${listed}`;
const pipelinesText = sql`select id from pipelines where location_id = ? and id in ${listed}`;
const stagesText = sql`select stages.id, stages.pipeline_id from stages join pipelines on pipelines.id = stages.pipeline_id
  where pipelines.location_id = ? and stages.id in ${listed}`;
const tagsText = sql`select id from tags where workspace_id = ? and id in ${listed}`;

/** A statement for each noun, however many nodes name some. */
export async function judgeReferences(
  reader: Reader<LocationContext>,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  return [
    ...(await judgeChannels(reader, definition)),
    ...(await judgeTags(reader, definition)),
    ...(await judgeStages(reader, definition)),
    ...(await judgePeople(reader, definition)),
  ];
}

async function judgeChannels(reader: Reader<LocationContext>, definition: WorkflowDefinition): Promise<Fault[]> {
  const nodes = nodesOf(definition, "send_message");
  const channels = await findIds(
    reader,
    channelsText,
    reader.location.id,
    nodes.map(({ node }) => node.channel_id),
  );
  return nodes
    .filter(({ node }) => !channels.has(node.channel_id))
    .map(({ place }) => ({ place: `${place}.channel_id`, predicate: channelOfLocation.predicate }));
}

async function judgeTags(reader: Reader<LocationContext>, definition: WorkflowDefinition): Promise<Fault[]> {
  const nodes = nodesOf(definition, "add_tag", "remove_tag");
  const named = nodes.flatMap(({ node: { tag } }) => (typeof tag === "string" ? [textKey(tag)] : []));
  const ids = nodes.flatMap(({ node: { tag } }) => (typeof tag === "number" ? [tag] : []));
  const byKey = await findTagsByKeys(reader, [...new Set(named)]);
  const byId = await findIds(reader, tagsText, reader.workspaceId, ids);
  return nodes
    .filter(({ node: { tag } }) => !(typeof tag === "string" ? byKey.has(textKey(tag)) : byId.has(tag)))
    .map(({ place }) => ({ place: `${place}.tag`, predicate: "must name a tag of the workspace." }));
}

async function judgeStages(reader: Reader<LocationContext>, definition: WorkflowDefinition): Promise<Fault[]> {
  const nodes = nodesOf(definition, "move_stage");
  if (nodes.length === 0) return [];
  const pipelines = await findIds(
    reader,
    pipelinesText,
    reader.location.id,
    nodes.map(({ node }) => node.pipeline_id),
  );
  const stages = await reader.rows<{ id: number; pipeline_id: number }>(stagesText, [
    reader.location.id,
    JSON.stringify(nodes.map(({ node }) => node.stage_id)),
  ]);
  const pipelineOf = new Map(stages.map(({ id, pipeline_id }) => [id, pipeline_id]));
  return nodes.flatMap(({ place, node: { pipeline_id, stage_id } }) => {
    const faults: Fault[] = [];
    const home = pipelineOf.get(stage_id);
    if (!pipelines.has(pipeline_id))
      faults.push({ place: `${place}.pipeline_id`, predicate: pipelineOfLocation.predicate });
    if (home === undefined) faults.push({ place: `${place}.stage_id`, predicate: stageOfLocation.predicate });
    else if (home !== pipeline_id)
      faults.push({ place: `${place}.stage_id`, predicate: "must name a stage of the pipeline." });
    return faults;
  });
}

async function judgePeople(reader: Reader<LocationContext>, definition: WorkflowDefinition): Promise<Fault[]> {
  const named = [
    ...nodesOf(definition, "create_task").map(({ place, node }) => ({
      place: `${place}.assignee_user_id`,
      id: node.assignee_user_id,
    })),
    ...nodesOf(definition, "update_contact").map(({ place, node }) => ({
      place: `${place}.set.owner_user_id`,
      id: node.set.owner_user_id,
    })),
  ].flatMap(({ place, id }) => (typeof id === "number" ? [{ place, id }] : []));
  if (named.length === 0) return [];
  const people = await findUsersWithAccess(reader, new Set(named.map(({ id }) => id)));
  return named
    .filter(({ id }) => !people.has(id))
    .map(({ place }) => ({ place, predicate: personWithAccess.predicate }));
}

async function findIds(
  reader: Reader<LocationContext>,
  text: typeof channelsText,
  owner: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const found = await reader.rows<{ id: number }>(text, [owner, JSON.stringify([...new Set(ids)])]);
  return new Set(found.map(({ id }) => id));
}

function nodesOf<Type extends NodeType>({ nodes }: WorkflowDefinition, ...types: readonly Type[]) {
  return Object.entries(nodes).flatMap(([id, node]) =>
    (types as readonly string[]).includes(node.type) ? [{ place: `nodes.${id}`, node: node as NodeOf<Type> }] : [],
  );
}
