/**
 * Everything that can be done with the service, on one screen, by noun: `at` gives an operation its address below /api/v1, in the order of the
 * documents; the others are for the terminal and for pages. Every surface offers rows of this table alone.
 */
import {
  listChannels,
  listChannelSettings,
  getChannelSettings,
  createChannel,
  updateChannel,
  setChannelStatus,
  rotateInboundUrl,
  testChannel,
} from "./crm/channels/channel.operations.ts";
import {
  listContacts,
  searchContacts,
  createContact,
  upsertContact,
  bulkUpsertContacts,
  getContact,
  updateContact,
  deleteContact,
  addContactTag,
  removeContactTag,
} from "./crm/contacts/contact.operations.ts";
import { importContacts, exportContacts, countContacts } from "./crm/contacts/transfer.operations.ts";
import {
  listConversations,
  startConversation,
  getConversation,
  updateConversation,
  listMessages,
  sendMessage,
} from "./crm/conversations/conversation.operations.ts";
import { readEventLog, positionBefore, reportEvent, getSampleEvent } from "./crm/event-log/event.operations.ts";
import { listNotes, addNote } from "./crm/notes/note.operations.ts";
import {
  listOpportunities,
  createOpportunity,
  getOpportunity,
  updateOpportunity,
} from "./crm/opportunities/opportunity.operations.ts";
import { createLocation } from "./crm/pipelines/open-location.operations.ts";
import { listPipelines, createPipeline } from "./crm/pipelines/pipeline.operations.ts";
import { listTags, createTag, renameTag, countTagged, deleteTag } from "./crm/tags/tag.operations.ts";
import { listTasks, createTask, updateTask } from "./crm/tasks/task.operations.ts";
import { enroll, listWorkflowRuns, getWorkflowRun, removeRun } from "./crm/workflows/workflow-run.operations.ts";
import {
  listWorkflows,
  getWorkflow,
  judgeDraft,
  createWorkflow,
  updateWorkflow,
  publishWorkflow,
  unpublishWorkflow,
  tryDefinition,
} from "./crm/workflows/workflow.operations.ts";
import { setUp } from "./setup/setup.operations.ts";
import { listApps, createApp, updateApp, publishApp, rotateAppSecret } from "./marketplace/apps/app.operations.ts";
import { listSubscriptions, listLedger } from "./marketplace/billing/billing.operations.ts";
import { connectApp, getAppAccount } from "./marketplace/billing/platform/account.operations.ts";
import {
  listPayouts,
  listCharges,
  refundCharge,
  reconcileBilling,
} from "./marketplace/billing/platform/platform.operations.ts";
import { listInstalls, uninstallApp } from "./marketplace/installs/install.operations.ts";
import { listApiKeys, createApiKey, rotateApiKey, revokeApiKey } from "./tenancy/api-keys/api-key.operations.ts";
import { updateLocation, listLocations } from "./tenancy/locations/location.operations.ts";
import { listUsers, inviteUser, updateUser, removeUser, resetPassword } from "./tenancy/users/user.operations.ts";
import { listWorkspaces, createWorkspace, updateWorkspace } from "./tenancy/workspaces/workspace.operations.ts";
import { listDeliveries, replayDelivery, sendTest, replayFailed } from "./webhooks/deliveries/delivery.operations.ts";
import {
  listHooks,
  registerHook,
  removeHook,
  createHook,
  setHookStatus,
  rotateHookSecret,
} from "./webhooks/hooks/hook.operations.ts";
import { at } from "./http/endpoint.ts";
import type { Endpoint } from "./http/endpoint.ts";
import type { AnyOperation } from "./operation/operation.ts";

const table: readonly (Endpoint | AnyOperation)[] = [
  // the service, and its workspaces
  setUp,
  listWorkspaces,
  createWorkspace,
  updateWorkspace,
  // locations
  at("GET", "/locations", listLocations, 200),
  createLocation,
  updateLocation,
  // contacts
  at("GET", "/contacts", listContacts, 200),
  searchContacts,
  at("POST", "/contacts", createContact, 201),
  at("POST", "/contacts/upsert", upsertContact, { created: 201, found: 200 }),
  at("POST", "/contacts/bulk", bulkUpsertContacts, 200),
  importContacts,
  exportContacts,
  countContacts,
  at("GET", "/contacts/{id}", getContact, 200),
  at("PATCH", "/contacts/{id}", updateContact, 200),
  at("DELETE", "/contacts/{id}", deleteContact, 204),
  at("POST", "/contacts/{id}/tags", addContactTag, 200),
  at("DELETE", "/contacts/{id}/tags/{tagId}", removeContactTag, 200),
  // notes
  at("GET", "/contacts/{id}/notes", listNotes, 200),
  at("POST", "/contacts/{id}/notes", addNote, 201),
  // opportunities
  at("GET", "/opportunities", listOpportunities, 200),
  at("POST", "/opportunities", createOpportunity, 201),
  at("GET", "/opportunities/{id}", getOpportunity, 200),
  at("PATCH", "/opportunities/{id}", updateOpportunity, 200),
  // pipelines
  at("GET", "/pipelines", listPipelines, 200),
  createPipeline,
  // tasks
  at("GET", "/tasks", listTasks, 200),
  at("POST", "/tasks", createTask, 201),
  at("PATCH", "/tasks/{id}", updateTask, 200),
  // conversations
  at("GET", "/conversations", listConversations, 200),
  at("POST", "/conversations", startConversation, { created: 201, found: 200 }),
  at("GET", "/conversations/{id}", getConversation, 200),
  at("PATCH", "/conversations/{id}", updateConversation, 200),
  at("GET", "/conversations/{id}/messages", listMessages, 200),
  at("POST", "/conversations/{id}/messages", sendMessage, 201),
  // workflows
  at("GET", "/workflows", listWorkflows, 200),
  getWorkflow,
  judgeDraft,
  createWorkflow,
  updateWorkflow,
  publishWorkflow,
  unpublishWorkflow,
  tryDefinition,
  // workflow runs
  at("POST", "/workflows/{id}/enroll", enroll, 201),
  at("GET", "/workflows/{id}/runs", listWorkflowRuns, 200),
  at("GET", "/workflow-runs/{id}", getWorkflowRun, 200),
  removeRun,
  // channels
  at("GET", "/channels", listChannels, 200),
  listChannelSettings,
  getChannelSettings,
  createChannel,
  updateChannel,
  setChannelStatus,
  rotateInboundUrl,
  testChannel,
  // tags
  at("GET", "/tags", listTags, 200),
  at("POST", "/tags", createTag, 201),
  renameTag,
  countTagged,
  deleteTag,
  // users
  at("GET", "/users", listUsers, 200),
  inviteUser,
  updateUser,
  removeUser,
  resetPassword,
  // API keys
  listApiKeys,
  createApiKey,
  rotateApiKey,
  revokeApiKey,
  // the event log
  at("GET", "/events", readEventLog, 200),
  positionBefore,
  at("POST", "/events", reportEvent, 201),
  at("GET", "/hooks/samples", getSampleEvent, 200),
  // webhooks
  at("GET", "/hooks", listHooks, 200),
  at("POST", "/hooks", registerHook, 201),
  createHook,
  setHookStatus,
  rotateHookSecret,
  at("DELETE", "/hooks/{id}", removeHook, 204),
  // deliveries
  at("GET", "/hooks/{id}/deliveries", listDeliveries, 200),
  at("POST", "/hooks/deliveries/{id}/replay", replayDelivery, 202),
  replayFailed,
  sendTest,
  // apps
  listApps,
  createApp,
  updateApp,
  publishApp,
  rotateAppSecret,
  connectApp,
  getAppAccount,
  // installs
  listInstalls,
  uninstallApp,
  // billing
  listSubscriptions,
  listLedger,
  listPayouts,
  listCharges,
  refundCharge,
  reconcileBilling,
];

export const operations: readonly AnyOperation[] = table.map((row) => ("operation" in row ? row.operation : row));

/** The operations of the API. */
export const endpoints: readonly Endpoint[] = table.filter((row) => "operation" in row);
