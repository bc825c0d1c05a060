/** `crm workflows show`: the workflow graph, with the active runs at each node. */
import type { WorkflowDefinition } from "../../src/crm/workflows/definition/definition.schema.ts";
import type { WorkflowView } from "../../src/crm/workflows/workflow.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { nameWorkflow, describeFaults } from "../../terminal/output/workflows/write-result.ts";
import { counted } from "../../src/kit/text.ts";

export default class WorkflowsShow extends CrmCommand {
  static override description = `Draws a workflow from its entry, with the number of active runs at each node.

Shows the version that new runs start with, or the draft of an unpublished workflow.`;
  static override jsonResult =
    "the workflow, its definition, active_runs by node, has_secret: whether its posts are signed, and last_7_days: what became of its trigger's events";
  static override examples = [
    "<%= config.bin %> workflows show 1",
    "<%= config.bin %> workflows show 1 --json | jq .definition",
  ];
  static override args = { id: idArgument("The workflow.") };
  static override flags = locationFlags;

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(WorkflowsShow);
    const [{ getWorkflow, judgeDraft }, { readDefinition }, { describeCounts }, { drawGraph }] = await Promise.all([
      import("../../src/crm/workflows/workflow.operations.ts"),
      import("../../src/crm/workflows/definition/read-definition.ts"),
      import("../../src/crm/workflows/following/trigger-counts.text.ts"),
      import("../../terminal/output/workflows/graph.ts"),
    ]);
    const draw = (definition: WorkflowDefinition, runs: ReadonlyMap<string, number>): string[] => [
      ...drawGraph(definition, runs),
      ...goneNodes(definition, runs),
    ];
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const records = { workflow: args.id };
      const {
        draft,
        definition: inForce,
        active_runs,
        last_7_days,
        ...workflow
      } = await carryOut(getWorkflow, caller, records);
      const runs = new Map(Object.entries(active_runs));
      const answer = { ...workflow, definition: inForce ?? draft, active_runs, last_7_days };
      if (inForce === null) {
        const { faults } = await carryOut(judgeDraft, caller, records);
        // A draft with faults may have invalid references: it is not drawn.
        const lines = Object.keys(faults).length > 0 ? describeFaults(faults) : draw(readDefinition(draft), runs);
        this.log([headOf(workflow), "", ...lines].join("\n"));
        return answer;
      }
      const isBehind = JSON.stringify(draft) !== JSON.stringify(inForce) && !isSame(readDefinition, draft, inForce);
      const note = isBehind ? ["", `The draft has unpublished changes: crm workflows publish ${args.id}`] : [];
      const { trigger_event: event } = workflow;
      const counts = event === null ? [] : [`${event} in the last 7 days: ${describeCounts(last_7_days)}`];
      this.log([headOf(workflow), ...counts, "", ...draw(inForce, runs), ...note].join("\n"));
      return answer;
    });
  }
}

/** A version is the normalized draft: texts are trimmed. */
function isSame(read: (value: unknown) => WorkflowDefinition, draft: unknown, inForce: WorkflowDefinition): boolean {
  try {
    return JSON.stringify(read(draft)) === JSON.stringify(inForce);
  } catch {
    return false;
  }
}

function headOf(workflow: WorkflowView): string {
  const [head = "", ...name] = nameWorkflow(workflow);
  const started = workflow.trigger_event === null ? "" : `, started by ${workflow.trigger_event}`;
  const again = workflow.allow_reentry ? ", with re-entry" : "";
  const state = workflow.version === null ? "draft" : `published, version ${workflow.version}`;
  const title = `${head.toUpperCase()}${name.join("")}: ${state}${started}${again}`;
  if (workflow.throttled_at === undefined) return title;
  return `${title}\nThrottled (${workflow.throttled_at}): it was to start more runs than one contact or one chain of runs may. Look at what starts it, or unpublish it.`;
}

/** The runs of older versions at nodes that this one does not have. */
function goneNodes(definition: WorkflowDefinition, runs: ReadonlyMap<string, number>): string[] {
  const gone = [...runs].filter(([id]) => !Object.hasOwn(definition.nodes, id));
  if (gone.length === 0) return [];
  const lines = gone.map(([id, count]) => `  ${id}  [${counted(count, "run")}]`);
  return ["", "At nodes of older versions:", ...lines];
}
