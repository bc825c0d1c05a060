/** The operations of the runs of workflows. */
import { z } from "zod";
import type { LocationContext, Reader } from "../../events/caller.ts";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { Outcome } from "../../operation/outcome.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { findChannel } from "../channels/channel.queries.ts";
import { findRunSteps } from "../workflow-runs/run-steps.ts";
import * as runs from "../workflow-runs/workflow-run.queries.ts";
import {
  enrollInput,
  enrollMatchingInput,
  retryFailedInput,
  workflowRunListQuery,
} from "../workflow-runs/workflow-run.schema.ts";
import * as retries from "../workflow-runs/run-retry.service.ts";
import * as service from "../workflow-runs/workflow-run.service.ts";
import * as enrollments from "../workflow-runs/enrollment.service.ts";
import { enrolledView, toEnrolledContact } from "../workflow-runs/enrollment.view.ts";
import type { EnrolledView } from "../workflow-runs/enrollment.view.ts";
import {
  retriedRunsView,
  toWorkflowRun,
  toWorkflowRunDetail,
  workflowRunDetailView,
  workflowRunListView,
  workflowRunView,
} from "../workflow-runs/workflow-run.view.ts";
import type { WorkflowRunDetailRow } from "../workflow-runs/workflow-run.view.ts";
import { countAwaiting } from "./engine/channel-wakes.ts";
import { parseFilters } from "../contacts/list/contact.filters.ts";
import { enrollPiece } from "./enroll-matching.ts";
import { enrolledPieceView } from "./workflow.view.ts";
import { shownContext } from "./run-context.ts";
import { findWorkflow } from "./workflow.queries.ts";

const reading = { scope: "workflows.readonly", role: "member" } as const;
const writing = { scope: "workflows.write", role: "manager" } as const;

const runRecord = shownRecord({
  gives: workflowRunDetailView,
  lock: (change, { workflow_run: run }: { workflow_run: number }) => service.lockRunByContact(change, run),
  async read(reader, { workflow_run: id }) {
    const run = await runs.findWorkflowRunDetail(reader, id);
    if (run === undefined) throw new Refusal("workflow_run.not_found");
    return showRun(reader, run);
  },
});

async function showRun(reader: Reader<LocationContext>, run: WorkflowRunDetailRow) {
  const context = shownContext(reader.grant, run);
  return toWorkflowRunDetail({ ...run, context }, await findRunSteps(reader, run.id));
}

export const enroll = operation({
  name: "enroll",
  summary: "Starts a run of a workflow for a contact, or for each of several.",
  noun: "Workflows",
  may: writing,
  find: { workflow: lockedByChange(findWorkflow) },
  input: enrollInput,
  gives: enrolledView,
  size: ({ input }) => (input.contact_ids === undefined ? undefined : "large"),
  async change(change, { workflow: { id: workflowId }, input }) {
    const context = input.context ?? {};
    if (input.contact_ids === undefined) {
      const run = await enrollments.enroll(change, { workflowId, contactId: input.contact_id, context });
      return new Outcome<EnrolledView>(toWorkflowRun(run), { isNew: true });
    }
    const enrolled = await enrollments.enrollContacts(change, { workflowId, contactIds: input.contact_ids, context });
    const isNew = enrolled.some(({ run }) => run !== undefined);
    return new Outcome<EnrolledView>({ data: enrolled.map(toEnrolledContact) }, { isNew, isUnchanged: !isNew });
  },
});

export const enrollMatching = operation({
  name: "enrollMatching",
  summary: "Starts runs for the next contacts that match filters.",
  noun: "Workflows",
  may: writing,
  find: { workflow: findWorkflow },
  input: enrollMatchingInput,
  gives: enrolledPieceView,
  steps: (caller, { workflow, input: { filters, context, after = 0, dry_run: isDryRun = false } }) =>
    enrollPiece(caller, {
      workflowId: workflow.id,
      filters: parseFilters(filters ?? [], "filters"),
      context: context ?? {},
      after,
      isDryRun,
    }),
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
  summary: "Shows a run of a workflow, with its context and its last steps.",
  noun: "Workflows",
  may: reading,
  find: { workflow_run: runs.findWorkflowRunDetail },
  record: runRecord,
  gives: workflowRunDetailView,
  read: (reader, { workflow_run: run }) => showRun(reader, run),
});

export const retryRun = operation({
  name: "retryRun",
  summary: "Retries a failed run: it continues at the node that failed.",
  noun: "Workflows",
  may: writing,
  find: { workflow_run: lockedByChange(runs.findWorkflowRun) },
  gives: workflowRunView,
  change: async (change, { workflow_run: run }) => toWorkflowRun(await retries.retryRun(change, run.id)),
});

export const retryFailedRuns = operation({
  name: "retryFailedRuns",
  summary: "Retries all runs of a workflow that have failed since a time.",
  noun: "Workflows",
  may: writing,
  find: { workflow: findWorkflow },
  input: retryFailedInput,
  gives: retriedRunsView,
  steps: (caller, { workflow, input }) => retries.retryFailedRuns(caller, workflow.id, input.since),
});

export const countRunsOfChannel = operation({
  name: "countRunsOfChannel",
  summary: "Counts the runs that wait for a channel.",
  noun: "Workflows",
  may: reading,
  find: { channel: findChannel },
  gives: z.object({ waiting_runs: z.int().describe("The number of runs that wait for the channel.") }),
  read: async (reader, { channel }) => ({ waiting_runs: await countAwaiting(reader, channel.id) }),
});

export const removeRun = operation({
  name: "removeRun",
  summary: "Ends a run, with the reason `removed`.",
  noun: "Workflows",
  may: writing,
  find: { workflow_run: lockedByChange(runs.findWorkflowRun) },
  record: runRecord,
  gives: workflowRunView,
  change: async (change, { workflow_run: run }) => toWorkflowRun(await service.removeRun(change, run.id)),
});
