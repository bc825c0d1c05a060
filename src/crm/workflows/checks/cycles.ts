/** Checks that workflows do not start each other in a cycle, as far as their published versions tell. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { listed } from "../../../storage/json.ts";
import { sql } from "../../../storage/sql-text.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import type { Fault } from "./faults.ts";
import { fieldsIn } from "./node-fields.ts";

const publishedText = sql`select workflows.id, workflows.name, workflow_versions.definition from workflows
  join workflow_versions on workflow_versions.id = workflows.version_id
  where workflows.location_id = ? and workflows.id in ${listed}`;

interface PublishedWorkflow {
  readonly id: number;
  readonly name: string;
  readonly definition: string;
}

/** A fault for each node of the workflow that starts it again, directly or through others; one statement for each step away. */
export async function judgeCycles(
  reader: Reader<LocationContext>,
  types: NodeTypes,
  workflowId: number,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const known = new Set<number>();
  let paths = startsIn(types, definition).map(({ place, value }) => ({ place, value, names: [] as readonly string[] }));
  for (let steps = 0; steps <= limits.workflowRun.depth && paths.length > 0; steps += 1) {
    for (const { place, names } of paths.filter(({ value }) => value === workflowId))
      faults.push({ place, predicate: describeCycle(names) });
    const further = paths.filter(({ value }) => value !== workflowId && !known.has(value));
    if (further.length === 0) break;
    for (const { value } of further) known.add(value);
    const found = await reader.rows<PublishedWorkflow>(publishedText, [
      reader.location.id,
      JSON.stringify(further.map(({ value }) => value)),
    ]);
    const byId = new Map(found.map((workflow) => [workflow.id, workflow]));
    paths = further.flatMap(({ place, value, names }) => {
      const workflow = byId.get(value);
      if (workflow === undefined) return [];
      const starts = startsIn(types, JSON.parse(workflow.definition) as WorkflowDefinition);
      return starts.map((start) => ({ place, value: start.value, names: [...names, workflow.name] }));
    });
  }
  return faults;
}

function startsIn(types: NodeTypes, definition: WorkflowDefinition) {
  return fieldsIn(types, definition, "workflow").filter(({ starts }) => starts);
}

function describeCycle(names: readonly string[]): string {
  if (names.length === 0) return "must not name the workflow itself.";
  return `starts this workflow again, through ${names.map((name) => `"${name}"`).join(" → ")}.`;
}
