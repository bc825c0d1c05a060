/** The operations of workflows. */
import type { Change, LocationContext, Reader } from "../../events/caller.ts";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { Outcome } from "../../operation/outcome.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import { pageQuery } from "../../kit/page-shapes.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { secretRotation } from "../../webhooks/hooks/hook.schema.ts";
import { hasPostSecret, rotatePostSecret } from "./posting/post-secret.ts";
import { listSecrets, setSecret } from "./posting/workflow-secrets.ts";
import * as deleting from "./workflow-deletion.ts";
import * as publishing from "./publishing.service.ts";
import type { PreparedDraft, Published } from "./publishing.service.ts";
import { findTriggerCounts } from "./following/trigger-counts.ts";
import { performDryRun } from "./dry-run/perform-dry-run.ts";
import { dryRunView } from "./dry-run/dry-run.view.ts";
import * as workflows from "./workflow.queries.ts";
import {
  changedWorkflowInput,
  newWorkflowInput,
  dryRunInput,
  workflowDryRunInput,
  workflowSecretInput,
} from "./workflow.schema.ts";
import * as service from "./workflow.service.ts";
import {
  draftJudgementView,
  publishedWorkflowView,
  rotatedSecretView,
  toWorkflow,
  unpublishedWorkflowView,
  workflowDetailView,
  workflowListView,
  workflowSecretsView,
  writtenWorkflowView,
} from "./workflow.view.ts";
import type { WorkflowRow, WrittenWorkflowView } from "./workflow.view.ts";

const reading = { scope: "workflows.readonly", role: "member" } as const;
const writing = { scope: "workflows.write", role: "manager" } as const;
/** A scope that no app can have: what a definition does goes on when the credential is gone. */
const authoring = { scope: "workflow_definitions.write", role: "manager" } as const;

const workflowRecord = shownRecord({
  gives: workflowDetailView,
  counters: ["active_runs", "last_7_days", "throttled_at"],
  lock: (change, { workflow }: { workflow: number }) => service.lockWorkflow(change, workflow),
  async read(reader, { workflow: id }) {
    const workflow = await workflows.findWorkflow(reader, id);
    if (workflow === undefined) throw new Refusal("workflow.not_found");
    // In a change, which compares no counters.
    return showWorkflow(reader, workflow, new Map());
  },
});

/** The workflow with its definitions and the counts of its runs at this moment. */
async function showWorkflow(
  reader: Reader<LocationContext>,
  workflow: WorkflowRow,
  activeRuns: ReadonlyMap<string, number>,
) {
  return {
    ...toWorkflow(workflow),
    draft: await workflows.getDraft(reader, workflow.id),
    definition: (await workflows.findDefinition(reader, workflow.id)) ?? null,
    active_runs: Object.fromEntries(activeRuns),
    has_secret: await hasPostSecret(reader, workflow.id),
    secrets: await listSecrets(reader, workflow.id),
    last_7_days: (await findTriggerCounts(reader, [workflow.id], reader.tools.clock.now()))(workflow.id),
  };
}

export const listWorkflows = operation({
  name: "listWorkflows",
  summary: "Lists the workflows of a location, oldest first.",
  noun: "Workflows",
  may: reading,
  query: pageQuery,
  gives: workflowListView,
  async read(reader, { query }) {
    const { data, ...page } = await workflows.listWorkflows(reader, query);
    const ids = data.map(({ id }) => id);
    const countsOf = await findTriggerCounts(reader, ids, reader.tools.clock.now());
    return { ...page, data: data.map((workflow) => ({ ...workflow, last_7_days: countsOf(workflow.id) })) };
  },
});

export const getWorkflow = operation({
  name: "getWorkflow",
  summary: "Shows a workflow with its definition, and the number of active runs at each node.",
  noun: "Workflows",
  may: reading,
  find: { workflow: workflows.findWorkflow },
  record: workflowRecord,
  gives: workflowDetailView,
  read: async (reader, { workflow }) =>
    showWorkflow(reader, workflow, await workflows.countRunsByNode(reader, workflow.id)),
});

export const judgeDraft = operation({
  name: "judgeDraft",
  summary: "Checks whether the draft of a workflow can be published.",
  noun: "Workflows",
  may: authoring,
  find: { workflow: workflows.findWorkflow },
  gives: draftJudgementView,
  async read(reader, { workflow }, network) {
    const draft = await workflows.getDraft(reader, workflow.id);
    return publishing.judgeDraft(reader, await publishing.prepareDraft(network, draft), workflow.id);
  },
});

export const createWorkflow = operation({
  name: "createWorkflow",
  summary: "Creates a workflow, which is a draft until it is published.",
  noun: "Workflows",
  may: authoring,
  input: newWorkflowInput,
  gives: writtenWorkflowView,
  audit: ({ id }) => ({ noun: "workflow", id }),
  before: async (reader, { input }, network) =>
    publishing.requireOwnScopes(reader, await publishing.prepareDraft(network, input.definition)),
  async change(change, { input: { publish, ...input }, before }) {
    return finishWriting(change, await service.createWorkflow(change, input), before, publish);
  },
});

export const updateWorkflow = operation({
  name: "updateWorkflow",
  summary: "Changes the given fields of a workflow. A new definition takes effect when it is published.",
  noun: "Workflows",
  may: authoring,
  find: { workflow: workflows.findWorkflow },
  input: changedWorkflowInput,
  record: workflowRecord,
  gives: writtenWorkflowView,
  audit: "found",
  async before(reader, { workflow, input: { definition, publish = false } }, network) {
    const draft = definition ?? (await workflows.getDraft(reader, workflow.id));
    const prepared = await publishing.prepareDraft(network, draft);
    return definition === undefined && !publish ? prepared : publishing.requireOwnScopes(reader, prepared);
  },
  async change(change, { workflow, input: { publish, ...patch }, before }) {
    return finishWriting(change, await service.updateWorkflow(change, workflow.id, patch), before, publish);
  },
});

export const publishWorkflow = operation({
  name: "publishWorkflow",
  summary: "Publishes the draft of a workflow: new runs use it.",
  noun: "Workflows",
  may: authoring,
  find: { workflow: workflows.findWorkflow },
  gives: publishedWorkflowView,
  audit: "found",
  async before(reader, { workflow }, network) {
    const draft = await workflows.getDraft(reader, workflow.id);
    return publishing.requireOwnScopes(reader, await publishing.prepareDraft(network, draft));
  },
  change: async (change, { workflow, before }) =>
    toPublished(await publishing.publishWorkflow(change, workflow.id, before)),
});

export const rotateWorkflowSecret = operation({
  name: "rotateWorkflowSecret",
  summary: "Replaces the secret that signs the posts of a workflow; the old one may also sign for a while.",
  noun: "Workflows",
  may: writing,
  find: { workflow: lockedByChange(workflows.findWorkflow) },
  input: secretRotation,
  gives: rotatedSecretView,
  givesSecret: true,
  audit: "found",
  change: (change, { workflow, input: { grace_seconds: seconds = 0 } }) =>
    rotatePostSecret(change, workflow.id, { graceMilliseconds: seconds * 1000 }),
});

export const setWorkflowSecret = operation({
  name: "setWorkflowSecret",
  summary:
    "Adds, replaces or removes a secret that headers of a workflow's posts take, and lists those that there are.",
  noun: "Workflows",
  may: writing,
  find: { workflow: lockedByChange(workflows.findWorkflow) },
  input: workflowSecretInput,
  gives: workflowSecretsView,
  audit: "found",
  change: async (change, { workflow, input }) => ({ data: await setSecret(change, workflow.id, input) }),
});

export const unpublishWorkflow = operation({
  name: "unpublishWorkflow",
  summary: "Unpublishes a workflow: its runs end, and contacts are no longer enrolled.",
  noun: "Workflows",
  may: writing,
  find: { workflow: lockedByChange(workflows.findWorkflow) },
  gives: unpublishedWorkflowView,
  audit: "found",
  async steps(caller, { workflow: { id } }, { complete }) {
    const { workflow, ended } = await publishing.unpublishWorkflow(caller, id);
    return complete(async () => ({ ...toWorkflow(workflow), ended }));
  },
});

export const deleteWorkflow = operation({
  name: "deleteWorkflow",
  summary: "Deletes a workflow with its versions and its runs; active ones end first.",
  noun: "Workflows",
  may: authoring,
  find: { workflow: workflows.findWorkflow },
  record: workflowRecord,
  gives: null,
  audit: "found",
  steps: (caller, { workflow: { id } }) => deleting.deleteWorkflow(caller, id),
});

export const tryDefinition = operation({
  name: "tryDefinition",
  summary:
    "Performs a dry run of a definition for a contact or an event: whether it would start, what would happen and when. Nothing is kept.",
  noun: "Workflows",
  may: authoring,
  input: dryRunInput,
  gives: dryRunView,
  steps: async (caller, { input }, { network }) =>
    new Outcome(await performDryRun(caller, input, network), { isUnchanged: true }),
});

export const tryWorkflow = operation({
  name: "tryWorkflow",
  summary:
    "Performs a dry run of a workflow for a contact or an event: whether it would start, what would happen and when. Nothing is kept.",
  noun: "Workflows",
  may: authoring,
  find: { workflow: workflows.findWorkflow },
  input: workflowDryRunInput,
  gives: dryRunView,
  async steps(caller, { workflow: { id }, input }, { network }) {
    const tried = input.definition === undefined ? { ...input, workflow_id: id } : input;
    return new Outcome(await performDryRun(caller, tried, network), { isUnchanged: true });
  },
});

/** Publishes the draft if `publish` is set; otherwise returns the faults that would prevent it. */
async function finishWriting(
  change: Change<LocationContext>,
  workflow: WorkflowRow,
  prepared: PreparedDraft,
  publish = false,
): Promise<WrittenWorkflowView> {
  if (publish) return toPublished(await publishing.publishWorkflow(change, workflow.id, prepared));
  const { faults, warnings } = await publishing.judgeDraft(change, prepared, workflow.id);
  return { ...toWorkflow(workflow), warnings, faults };
}

function toPublished({ workflow, warnings }: Published): WrittenWorkflowView {
  return { ...toWorkflow(workflow), warnings };
}
