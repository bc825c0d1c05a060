/** The endpoints of workflows and of their runs. */
import { byId, endpoint, heldById, reply } from "../../http/endpoint.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { findWorkflowRunDetail, listWorkflowRuns } from "../workflow-runs/workflow-run.queries.ts";
import { enrollInput, workflowRunListQuery } from "../workflow-runs/workflow-run.schema.ts";
import { enroll } from "../workflow-runs/workflow-run.service.ts";
import {
  toWorkflowRun,
  toWorkflowRunDetail,
  workflowRunDetailView,
  workflowRunListView,
  workflowRunView,
} from "../workflow-runs/workflow-run.view.ts";
import { findWorkflow, listWorkflows } from "./workflow.queries.ts";
import { workflowListView } from "./workflow.view.ts";

export const workflowRoutes = [
  endpoint({
    method: "GET",
    path: "/workflows",
    operationId: "listWorkflows",
    summary: "Lists the workflows of a location, the oldest first.",
    tag: "Workflows",
    scope: "workflows.readonly",
    query: pageQuery,
    replies: { 200: workflowListView },
    read: async (reader, { query }) => reply(200, await listWorkflows(reader, query)),
  }),
  endpoint({
    method: "POST",
    path: "/workflows/{id}/enroll",
    operationId: "enroll",
    summary: "Starts a run of a workflow for a contact.",
    tag: "Workflows",
    scope: "workflows.write",
    find: { workflow: heldById("id", findWorkflow) },
    input: enrollInput,
    replies: { 201: workflowRunView },
    async change(change, { workflow, input }) {
      const context = input.context ?? {};
      const run = await enroll(change, { workflowId: workflow.id, contactId: input.contact_id, context });
      return reply(201, toWorkflowRun(run));
    },
  }),
  endpoint({
    method: "GET",
    path: "/workflows/{id}/runs",
    operationId: "listWorkflowRuns",
    summary: "Lists the runs of a workflow, newest first.",
    tag: "Workflows",
    scope: "workflows.readonly",
    find: { workflow: byId("id", findWorkflow) },
    query: workflowRunListQuery,
    replies: { 200: workflowRunListView },
    read: async (reader, { workflow, query }) => reply(200, await listWorkflowRuns(reader, workflow.id, query)),
  }),
  endpoint({
    method: "GET",
    path: "/workflow-runs/{id}",
    operationId: "getWorkflowRun",
    summary: "Shows a run of a workflow, with its context.",
    tag: "Workflows",
    scope: "workflows.readonly",
    find: { workflow_run: byId("id", findWorkflowRunDetail) },
    replies: { 200: workflowRunDetailView },
    read: async (_reader, { workflow_run: run }) => reply(200, toWorkflowRunDetail(run)),
  }),
];
