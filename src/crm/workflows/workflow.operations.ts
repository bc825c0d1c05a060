/** The operations of workflows and of their runs. */
import { held, operation } from "../../operation/operation.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
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
import * as workflows from "./workflow.queries.ts";
import { workflowListView } from "./workflow.view.ts";

export const listWorkflows = operation({
  name: "listWorkflows",
  summary: "Lists the workflows of a location, the oldest first.",
  noun: "Workflows",
  may: { scope: "workflows.readonly", role: "member" },
  query: pageQuery,
  gives: workflowListView,
  read: async (reader, { query }) => await workflows.listWorkflows(reader, query),
});

export const enroll = operation({
  name: "enroll",
  summary: "Starts a run of a workflow for a contact.",
  noun: "Workflows",
  may: { scope: "workflows.write", role: "manager" },
  find: { workflow: held(workflows.findWorkflow) },
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
  may: { scope: "workflows.readonly", role: "member" },
  find: { workflow: workflows.findWorkflow },
  query: workflowRunListQuery,
  gives: workflowRunListView,
  read: async (reader, { workflow, query }) => await runs.listWorkflowRuns(reader, workflow.id, query),
});

export const getWorkflowRun = operation({
  name: "getWorkflowRun",
  summary: "Shows a run of a workflow, with its context.",
  noun: "Workflows",
  may: { scope: "workflows.readonly", role: "member" },
  find: { workflow_run: runs.findWorkflowRunDetail },
  gives: workflowRunDetailView,
  read: async ({ grant }, { workflow_run: run }) => toWorkflowRunDetail({ ...run, context: shownContext(grant, run) }),
});
