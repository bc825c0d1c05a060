/** A run of a workflow as text: its state, then a line per step. */
import { describeStep, nameWait } from "../../../src/crm/workflow-runs/run-step.text.ts";
import type { WorkflowRunDetailView } from "../../../src/crm/workflow-runs/workflow-run.view.ts";
import { showMoment } from "../moments.ts";
import { printable } from "../table.ts";

export function describeRun(run: WorkflowRunDetailView, timeZone: string): string[] {
  const moment = (timestamp: string): string => showMoment(timestamp, timeZone)!;
  const [first] = run.steps;
  const node = Math.max(0, ...run.steps.map(({ node_id }) => node_id.length));
  const type = Math.max(0, ...run.steps.map((step) => step.type.length));
  return [
    `Run ${run.id} of workflow ${run.workflow_id}, contact ${run.contact_id}: ${run.status}${whereabouts(run, moment)}`,
    ...(run.error === null ? [] : [printable(run.error)]),
    ...(run.status === "failed" ? [`To retry the node: crm workflows retry ${run.id}`] : []),
    ...(run.wake_at === null ? [] : [`Continues at the latest: ${moment(run.wake_at)}`]),
    "",
    ...(first === undefined ? ["No steps yet."] : []),
    ...run.steps.map(
      (step) =>
        `${moment(step.at)}  ${step.node_id.padEnd(node)}  ${step.type.padEnd(type)}  ${printable(describeStep(step, moment))}`,
    ),
  ];
}

function whereabouts(run: WorkflowRunDetailView, moment: (timestamp: string) => string): string {
  const { current_node_id: node, ended_reason: ended, waiting_since: since } = run;
  const place = node === null ? "" : ` at ${node}`;
  if (ended !== null) return `, ${ended}${place}`;
  const wait = nameWait(run);
  if (wait === null) return place;
  return `${place}, waits for: ${wait}${since === null ? "" : `, since ${moment(since)}`}`;
}
