/** The workflows of a location: the list, and one with its nodes and its runs. */
import type { WorkflowDetailView, WorkflowView } from "../../../crm/workflows/workflow.view.ts";
import type { AnyNode } from "../../../crm/workflows/definition/node-type.ts";
import { workflowNodes } from "../../../crm/workflows/nodes/all.ts";
import { enroll } from "../../../crm/workflows/workflow-run.operations.ts";
import { describeCounts } from "../../../crm/workflows/following/trigger-counts.text.ts";
import { publishWorkflow } from "../../../crm/workflows/workflow.operations.ts";
import { mayCarryOut } from "../../../operation/permission.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { badge } from "../../parts/badge.ts";
import { faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { field } from "../../parts/forms/field.ts";
import { empty } from "../../parts/lists/empty.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { isolatedName } from "../../parts/name.ts";
import { notice } from "../../parts/notice.ts";
import { pairs } from "../../parts/pairs.ts";
import { dayAndTime } from "../../parts/times.ts";
import { runList } from "./run-list.ts";
import type { RunList } from "./run-list.ts";

interface WorkflowList {
  readonly workflows: readonly WorkflowView[];
  /** Whether this is a later page. */
  readonly isContinued: boolean;
  readonly nextCursor: string | null;
}

export function workflowListPage(here: WorkView, { workflows, isContinued, nextCursor }: WorkflowList): Html {
  const list = here.to("/workflows");
  return work(here, {
    title: "Workflows",
    at: "/workflows",
    isWide: true,
    head: { title: "Workflows" },
    content: html`${
      workflows.length === 0
        ? empty(here.site, {
            icon: "workflow",
            title: "No workflows yet",
            text: html`A workflow sends messages, waits and acts on contacts by itself. It is created with
              <code>crm workflows create</code> or by the API.`,
          })
        : table({
            caption: "Workflows of the location, oldest first",
            rows: workflows,
            columns: [
              {
                title: "Name",
                cell: ({ id, name }) =>
                  html`<a class="main" href="${here.to(`/workflows/${id}`)}">${isolatedName(name)}</a>`,
              },
              { title: "State", cell: (one) => workflowState(here, one) },
              {
                title: "Starts by",
                folded: "wide",
                isNamed: true,
                cell: ({ trigger_event: event }) => (event === null ? "Enrollment" : html`<code>${event}</code>`),
              },
              { title: "Changed", folded: "wide", cell: ({ updated_at: at }) => dayAndTime(here.zone, at) },
            ],
          })
    }
    ${pager(here.site, {
      shown: null,
      first: isContinued ? list : null,
      next: nextCursor === null ? null : `${list}?cursor=${encodeURIComponent(nextCursor)}`,
    })}`,
  });
}

function workflowState({ site }: WorkView, { status, version, throttled_at: at }: WorkflowView): Html {
  const state =
    status === "draft"
      ? badge(site, { kind: "plain", text: "Draft", icon: "pencil" })
      : badge(site, { kind: "ok", text: `Published, version ${version}`, icon: "check" });
  if (at === undefined) return state;
  return html`${state} ${badge(site, { kind: "warn", text: "Throttled", icon: "triangle-alert" })}`;
}

interface WorkflowPage extends RunList {
  readonly workflow: WorkflowDetailView;
  /** Of the form that enrolls a contact. */
  readonly typed?: string;
  readonly faults?: FieldFaults;
}

export function workflowPage(
  here: WorkView,
  { workflow, runs, filter, isContinued, nextCursor, typed = "", faults = {} }: WorkflowPage,
): Html {
  const { site, workplace, formToken } = here;
  const path = here.to(`/workflows/${workflow.id}`);
  const mayChange = mayCarryOut(publishWorkflow, workplace.role);
  const isPublished = workflow.status === "published";
  return work(here, {
    title: isolatedName(workflow.name),
    at: "/workflows",
    live: { noun: "workflow", id: workflow.id },
    head: { title: "Workflows", back: here.to("/workflows") },
    content: html`
      <div class="page-head"><h1>${isolatedName(workflow.name)}</h1></div>
      ${pairs([
        ["State", workflowState(here, workflow)],
        ["Starts by", workflow.trigger_event === null ? "Enrollment" : html`<code>${workflow.trigger_event}</code>`],
        ["Re-entry", workflow.allow_reentry ? "Several active runs of a contact" : "One active run of a contact"],
        ["Changed", dayAndTime(here.zone, workflow.updated_at)],
        ["Last 7 days", workflow.trigger_event !== null && describeCounts(workflow.last_7_days)],
        ...(workflow.throttled_at === undefined
          ? []
          : [["Throttled", dayAndTime(here.zone, workflow.throttled_at)] as const]),
      ])}
      ${
        mayChange &&
        isPublished &&
        posts(workflow) &&
        !workflow.has_secret &&
        notice(site, {
          kind: "warn",
          title: "Posts are not signed",
          text: html`The receiver cannot tell who sent them. <a href="${path}/secret">Generate a secret…</a>`,
        })
      }
      ${
        mayChange &&
        html`<div class="buttons">
          <form method="post" action="${path}/publish">
            <input type="hidden" name="form_token" value="${formToken}" />
            <button class="button ${isPublished ? "" : "primary"}">
              ${isPublished ? "Publish the draft again" : "Publish"}
            </button>
          </form>
          ${posts(workflow) && html`<a class="button" href="${path}/secret">Secret of the posts…</a>`}
          ${isPublished && html`<a class="button" href="${path}/unpublish">Unpublish…</a>`}
        </div>`
      }
      <div id="nodes" data-live="">${nodeTable(workflow)}</div>
      ${
        isPublished &&
        mayCarryOut(enroll, workplace.role) &&
        html`${faultNotice(site, faults)}
          <form class="form sections" method="post" action="${path}/enroll">
            <input type="hidden" name="form_token" value="${formToken}" />
            ${field(site, {
              id: "contact_id",
              label: "Enroll a contact",
              autocomplete: "off",
              value: typed,
              hint: "The id of a contact of this location.",
              fault: faults["contact_id"],
            })}
            <div class="buttons"><button class="button">Enroll</button></div>
          </form>`
      }
      ${runList(here, path, { runs, filter, isContinued, nextCursor })}
    `,
  });
}

/** Longer definitions are cut: the API has them whole. */
const mostNodes = 100;

/** The nodes of the published definition, or of the draft. */
function nodesOf({ definition, draft }: WorkflowPage["workflow"]) {
  const { nodes } = (definition ?? draft) as { readonly nodes?: Readonly<Record<string, { readonly type?: unknown }>> };
  return typeof nodes === "object" && nodes !== null ? Object.entries(nodes) : [];
}

/** Whether a node of the workflow posts to another server. */
function posts(workflow: WorkflowPage["workflow"]): boolean {
  return nodesOf(workflow).some(([, node]) => node?.type === "webhook");
}

/** The nodes with the runs at each. */
function nodeTable(workflow: WorkflowPage["workflow"]): Html {
  const { definition, active_runs: counts } = workflow;
  const rows = nodesOf(workflow);
  if (rows.length === 0) return html``;
  return html`${table({
    caption: definition === null ? "Nodes of the draft" : "Nodes, with the number of active runs at each",
    rows: rows.slice(0, mostNodes),
    columns: [
      { title: "Node", cell: ([id]) => html`<code>${id}</code>` },
      {
        title: "What it does",
        folded: "wide",
        // A draft may have faults, and then only its types are told.
        cell: ([, node]) =>
          definition === null
            ? typeof node?.type === "string" && node.type
            : isolatedName(workflowNodes.of(node as AnyNode).summary(node as AnyNode)),
      },
      { title: "Runs", isNumber: true, folded: "wide", isNamed: true, cell: ([id]) => counts[id] ?? 0 },
    ],
  })}
  ${
    rows.length > mostNodes &&
    html`<p class="foot">The first ${mostNodes} of ${rows.length} nodes. The API answers with all of them.</p>`
  }`;
}
