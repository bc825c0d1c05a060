/** The operations of the runs of workflows. */
import { lockedByChange, operation } from "../../operation/operation.ts";
import * as runs from "../workflow-runs/workflow-run.queries.ts";
import { enrollInput, workflowRunListQuery } from "../workflow-runs/workflow-run.schema.ts";
import * as service from "../workflow-runs/workflow-run.service.ts";
import {
  toWorkflowRun,
  toWorkflowRunDetail,
  workflowRunDetailView,
  workflowRunListView,
  workflowRunView,
} from "../workflow-runs/workflow-run.view.ts";
import { shownContext } from "./run-context.ts";
import { findWorkflow } from "./workflow.queries.ts";

const reading = { scope: "workflows.readonly", role: "member" } as const;
const writing = { scope: "workflows.write", role: "manager" } as const;

export const enroll = operation({
  name: "enroll",
  summary: "Starts a run of a workflow for a contact.",
  noun: "Workflows",
  may: writing,
  find: { workflow: lockedByChange(findWorkflow) },
  input: enrollInput,
  gives: workflowRunView,
  async change(change, { workflow, input }) {
    const context = input.context ?? {};
    const run = await service.enroll(change, { workflowId: workflow.id, contactId: input.contact_id, context });
    return toWorkflowRun(run);
  },
});

export const listWorkflowRuns = operation({
  name: "listWorkflowRuns",
  summary: "Lists the runs of a workflow, newest first.",
  noun: "Workflows",
  may: reading,
  find: { workflow: findWorkflow },
  query: workflowRunListQuery,
  gives: workflowRunListView,
  read: async (reader, { workflow, query }) => await runs.listWorkflowRuns(reader, workflow.id, query),
});

export const getWorkflowRun = operation({
  name: "getWorkflowRun",
  summary: "Shows a run of a workflow, with its context.",
  noun: "Workflows",
  may: reading,
  find: { workflow_run: runs.findWorkflowRunDetail },
  gives: workflowRunDetailView,
  read: async ({ grant }, { workflow_run: run }) => toWorkflowRunDetail({ ...run, context: shownContext(grant, run) }),
});

export const removeRun = operation({
  name: "removeRun",
  summary: "Ends a run, with the reason `removed`.",
  noun: "Workflows",
  may: writing,
  find: { workflow_run: lockedByChange(runs.findWorkflowRun) },
  gives: workflowRunView,
  change: async (change, { workflow_run: run }) => toWorkflowRun(await service.removeRun(change, run.id)),
});
