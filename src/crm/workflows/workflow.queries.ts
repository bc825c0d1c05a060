/** Reads workflows: one, a page, their definitions, and the number of active runs at each node. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../storage/reading/owned-range.ts";
import { createSliceQueue, walkSlices } from "../../storage/keyset/slices.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { WorkflowDefinition } from "./definition/definition.schema.ts";
import { toWorkflow } from "./workflow.view.ts";
import type { WorkflowRow, WorkflowView } from "./workflow.view.ts";

const select = `select workflows.id, workflows.name, workflows.status, workflows.allow_reentry,
  workflow_versions.number as version, workflows.trigger_event, 
  (select max(throttled_at) from workflow_trigger_days where workflow_id = workflows.id) as throttled_at,
  workflows.created_at, workflows.updated_at
  from workflows left join workflow_versions on workflow_versions.id = workflows.version_id`;

const oneText = `${select} where workflows.id = ? and workflows.location_id = ?`;

/** The workflow with this id, if it is one of the location. */
export async function findWorkflow(reader: Reader<LocationContext>, id: number): Promise<WorkflowRow | undefined> {
  const [row] = await reader.rows<WorkflowRow>(oneText, [id, reader.location.id]);
  return row;
}

const pageText = `${select} where workflows.location_id = ? and workflows.id > ? order by workflows.id limit ?`;

/** A page of the location's workflows, oldest first. Refuses a cursor of another list. */
export function listWorkflows(reader: Reader<LocationContext>, query: PageQuery): Promise<Page<WorkflowView>> {
  return page(reader.tools.cursors, query, {
    list: `workflows ${reader.location.id}`,
    find: ([after]: [id: number] = [0], most) => reader.rows<WorkflowRow>(pageText, [reader.location.id, after, most]),
    placeOf: ({ id }): [number] => [id],
    show: toWorkflow,
  });
}

const draftText = "select draft from workflows where id = ? and location_id = ?";

/** The definition that is published next. Refuses `workflow.not_found`. */
export async function getDraft(reader: Reader<LocationContext>, id: number): Promise<Record<string, unknown>> {
  const [found] = await reader.rows<{ draft: string }>(draftText, [id, reader.location.id]);
  if (found === undefined) throw new Refusal("workflow.not_found");
  return JSON.parse(found.draft) as Record<string, unknown>;
}

const inForceText = `select workflow_versions.definition from workflows
  join workflow_versions on workflow_versions.id = workflows.version_id where workflows.id = ? and workflows.location_id = ?`;

/** The definition that new runs use; undefined for a draft. */
export async function findDefinition(
  reader: Reader<LocationContext>,
  id: number,
): Promise<WorkflowDefinition | undefined> {
  const [found] = await reader.rows<{ definition: string }>(inForceText, [id, reader.location.id]);
  return found && (JSON.parse(found.definition) as WorkflowDefinition);
}

/** Runs of one slice: some two milliseconds. */
const runsOfSlice = 1000;

/** By their index of workflow, status and id. */
const places = { owner: "workflow_id", place: "id", byEquality: true };
const sliceText = sql`select current_node_id as node_id, count(*) as runs, min(id) as reached from
  (select id, current_node_id from ${ownedBy("workflow_runs")} where ${inOwnedRange(places, { "<": "?" })} and status = ?
   order by ${inOwnedOrder(places, "desc")} limit ${runsOfSlice}) as slice
  group by current_node_id`;

const inSliceQueue = createSliceQueue();

/**
 * The number of runs at each node that have not ended, of all versions: of each status the newest, up to `limits.workflowRun.counted`. Not for
 * changes, which must not wait in a queue.
 */
export async function countRunsByNode(reader: Reader<LocationContext>, id: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const countStatus = (status: "active" | "waiting"): Promise<void> => {
    let counted = 0;
    return walkSlices({ queue: inSliceQueue, holder: queueKeyOf(reader) }, Number.MAX_SAFE_INTEGER, async (before) => {
      const nodes = await reader.rows<{ node_id: string; runs: number; reached: number }>(sliceText, [
        id,
        before,
        status,
      ]);
      const ofSlice = nodes.reduce((sum, { runs }) => sum + Number(runs), 0);
      for (const { node_id: node, runs } of nodes) counts.set(node, (counts.get(node) ?? 0) + Number(runs));
      counted += ofSlice;
      if (ofSlice < runsOfSlice || counted >= limits.workflowRun.counted) return undefined;
      return Math.min(...nodes.map(({ reached }) => reached));
    });
  };
  await Promise.all([countStatus("active"), countStatus("waiting")]);
  return counts;
}
