/** The runs of a workflow, as a block of its page: where each is, what it waits for since when, and why it failed. */
import { getChannelSettings } from "../../../crm/channels/channel.operations.ts";
import { describeError, isRepeating, nameWait } from "../../../crm/workflow-runs/run-step.text.ts";
import type { WorkflowRunItemView } from "../../../crm/workflow-runs/workflow-run.view.ts";
import { removeRun } from "../../../crm/workflows/workflow-run.operations.ts";
import { mayCarryOut } from "../../../operation/permission.ts";
import { runStatuses } from "../../../vocabulary/states.ts";
import type { RunStatus } from "../../../vocabulary/states.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { badge } from "../../parts/badge.ts";
import { empty } from "../../parts/lists/empty.ts";
import { rowMenu } from "../../parts/lists/row-menu.ts";
import { segment } from "../../parts/lists/segment.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { dayAndTime } from "../../parts/times.ts";

export interface RunList {
  readonly runs: readonly WorkflowRunItemView[];
  /** The status that the runs are limited to. */
  readonly filter: RunStatus | undefined;
  /** Whether this is a later page. */
  readonly isContinued: boolean;
  readonly nextCursor: string | null;
}

/** `path`: of the workflow's page. */
export function runList(here: WorkView, path: `/${string}`, { runs, filter, isContinued, nextCursor }: RunList): Html {
  const list: `/${string}` = filter === undefined ? path : `${path}?state=${filter}`;
  return html`<section class="block" id="runs" data-live="" aria-labelledby="runs-title">
    <h2 id="runs-title">Runs</h2>
    ${segment({
      label: "Which runs",
      choices: [
        { text: "All", href: path, isChosen: filter === undefined },
        ...runStatuses.map((status) => ({
          text: runStates[status].text,
          href: `${path}?state=${status}` as const,
          isChosen: filter === status,
        })),
      ],
    })}
    ${
      runs.length === 0
        ? empty(here.site, {
            icon: "play",
            level: "h3",
            title: filter === undefined ? "No runs" : `No ${filter} runs`,
            text:
              filter === undefined
                ? "Each contact that goes through the workflow has a run."
                : "Runs in other states are under All.",
          })
        : runTable(here, runs)
    }
    ${pager(here.site, {
      shown: null,
      first: isContinued ? list : null,
      next:
        nextCursor === null
          ? null
          : `${list}${filter === undefined ? "?" : "&"}cursor=${encodeURIComponent(nextCursor)}`,
    })}
  </section>`;
}

function runTable(here: WorkView, runs: readonly WorkflowRunItemView[]): Html {
  const mayRemove = mayCarryOut(removeRun, here.workplace.role);
  return table({
    caption: "Runs, newest first",
    rows: runs,
    columns: [
      { title: "Run", cell: ({ id }) => html`<a href="${here.to(`/runs/${id}`)}">Run ${id}</a>` },
      { title: "State", cell: ({ status }) => runState(here, status) },
      { title: "Contact", isNamed: true, cell: ({ contact_id: id }) => id },
      {
        title: "Node",
        folded: "wide",
        isNamed: true,
        cell: ({ current_node_id: node }) => node !== null && html`<code>${node}</code>`,
      },
      {
        title: "Waits for",
        folded: "wide",
        isNamed: true,
        cell: (run) => waitingOf(here, run),
      },
      { title: "Enrolled", folded: "wide", isNamed: true, cell: ({ enrolled_at: at }) => dayAndTime(here.zone, at) },
      ...(runs.some(({ error }) => error !== null)
        ? [{ title: "Error", folded: "wide", isNamed: true, cell: describeError } as const]
        : []),
    ],
    actions: ({ id, status }) =>
      mayRemove &&
      isGoingOn(status) &&
      rowMenu(here.site, {
        id: `run-${id}`,
        name: `run ${id}`,
        links: [{ href: here.to(`/runs/${id}/remove`), text: "Remove…", icon: "trash-2" }],
      }),
  });
}

/** What a run waits for since when, and until when; of one that repeats its node, when the next attempt is. */
function waitingOf(here: WorkView, run: WorkflowRunItemView): Html | false {
  const { waiting_since: since, wake_at: until } = run;
  if (since === null) return false;
  const word = isRepeating(run) ? "at" : "until";
  const end = until !== null && html` ${word} ${dayAndTime(here.zone, until)}`;
  return html`${waitOf(here, run)}${end}, since ${dayAndTime(here.zone, since)}`;
}

/** What a run waits for: a channel with a link to it, for those who may see its settings. */
export function waitOf(here: WorkView, run: WorkflowRunItemView): Html | string | null {
  const { awaited_channel_id: channel } = run;
  const wait = nameWait(run);
  return channel === null || !mayCarryOut(getChannelSettings, here.workplace.role)
    ? wait
    : html`<a href="${here.to(`/channels/${channel}`)}">${wait}</a>`;
}

export function isGoingOn(status: RunStatus): boolean {
  return status === "active" || status === "waiting";
}

const runStates = {
  active: { kind: "accent", text: "Active", icon: "play" },
  waiting: { kind: "plain", text: "Waiting", icon: "clock" },
  completed: { kind: "ok", text: "Completed", icon: "check" },
  failed: { kind: "danger", text: "Failed", icon: "triangle-alert" },
  canceled: { kind: "plain", text: "Canceled", icon: "x" },
} as const satisfies Record<RunStatus, Parameters<typeof badge>[1]>;

export function runState({ site }: WorkView, status: RunStatus): Html {
  return badge(site, runStates[status]);
}
