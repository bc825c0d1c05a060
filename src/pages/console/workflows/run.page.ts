/** One run of a workflow: where it is, what it waits for, why it failed. */
import { describeStep, isRepeating } from "../../../crm/workflow-runs/run-step.text.ts";
import type { RunStepView } from "../../../crm/workflow-runs/run-step.view.ts";
import type { WorkflowRunDetailView } from "../../../crm/workflow-runs/workflow-run.view.ts";
import { removeRun, retryRun } from "../../../crm/workflows/workflow-run.operations.ts";
import { mayCarryOut } from "../../../operation/permission.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { codeBox } from "../../parts/code-box.ts";
import { empty } from "../../parts/lists/empty.ts";
import { table } from "../../parts/lists/table.ts";
import { pairs } from "../../parts/pairs.ts";
import { dayAndTime, dayAndTimeText } from "../../parts/times.ts";
import { isGoingOn, runState, waitOf } from "./run-list.ts";

/** Longer contexts are cut: the API has them whole. */
const mostShown = 8000;

export function runPage(here: WorkView, run: WorkflowRunDetailView): Html {
  const { site, zone, workplace, formToken } = here;
  const context = JSON.stringify(run.context, undefined, 2);
  return work(here, {
    title: `Run ${run.id}`,
    at: "/workflows",
    live: { noun: "run", id: run.id },
    head: { title: "Workflow", back: here.to(`/workflows/${run.workflow_id}`) },
    content: html`
      <div class="page-head"><h1>Run ${run.id}</h1></div>
      <div class="stack" id="run" data-live="">
        ${pairs([
          ["State", runState(here, run.status)],
          ["Why", run.error ?? run.ended_reason],
          ["Failed attempts", run.attempts > 0 && run.attempts],
          ["Contact", run.contact_id],
          ["Version", run.version],
          ["Node", run.current_node_id !== null && html`<code>${run.current_node_id}</code>`],
          ["Waits for", waitOf(here, run)],
          ["Since", run.waiting_since !== null && dayAndTime(zone, run.waiting_since)],
          [isRepeating(run) ? "Next attempt" : "Until", run.wake_at !== null && dayAndTime(zone, run.wake_at)],
          ["Started by", run.trigger_event === null ? "Enrollment" : html`<code>${run.trigger_event}</code>`],
          ["Enrolled", dayAndTime(zone, run.enrolled_at)],
          ["Ended", run.completed_at !== null && dayAndTime(zone, run.completed_at)],
        ])}
        ${
          isGoingOn(run.status) &&
          mayCarryOut(removeRun, workplace.role) &&
          html`<div class="buttons"><a class="button" href="${here.to(`/runs/${run.id}/remove`)}">Remove…</a></div>`
        }
        ${
          run.status === "failed" &&
          mayCarryOut(retryRun, workplace.role) &&
          html`<form class="buttons" method="post" action="${here.to(`/runs/${run.id}/retry`)}">
            <input type="hidden" name="form_token" value="${formToken}" />
            <button class="button primary">Retry</button>
          </form>`
        }
        <h2>Steps</h2>
        ${
          run.steps.length === 0
            ? empty(site, { icon: "play", title: "No steps yet", text: "The worker writes a step for each node." })
            : stepTable(here, run.steps)
        }
      </div>
      ${codeBox(site, {
        title:
          context.length > mostShown ? `Context, the first ${mostShown.toLocaleString("en")} characters` : "Context",
        code: context.slice(0, mostShown),
      })}
    `,
  });
}

function stepTable({ zone }: WorkView, steps: readonly RunStepView[]): Html {
  return table({
    caption: "The last steps, the oldest first",
    rows: steps,
    columns: [
      { title: "At", cell: ({ at }) => dayAndTime(zone, at) },
      { title: "Node", isNamed: true, cell: ({ node_id: node }) => html`<code>${node}</code>` },
      { title: "Type", folded: "wide", isNamed: true, cell: ({ type }) => type },
      { title: "What happened", isNamed: true, cell: (step) => describeStep(step, (at) => dayAndTimeText(zone, at)) },
    ],
  });
}
