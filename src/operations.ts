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
  createContact,
  upsertContact,
  bulkUpsertContacts,
  getContact,
  updateContact,
  addContactTag,
  removeContactTag,
} from "./crm/contacts/contact.operations.ts";
import { getAttachment, uploadAttachment } from "./crm/conversations/attachments/attachment.operations.ts";
import { listDuplicates } from "./crm/contacts/duplicates/duplicate.operations.ts";
import { listContactMerges, mergeContacts } from "./crm/contacts/merging/merge.operations.ts";
import { uploadContacts, importContacts, exportContacts, countContacts } from "./crm/contacts/transfer.operations.ts";
import {
  cancelMessage,
  listConversations,
  startConversation,
  getConversation,
  updateConversation,
  deleteConversation,
  listMessages,
  retryMessage,
  sendMessage,
} from "./crm/conversations/conversation.operations.ts";
import { dossierDownload } from "./crm/dossier/dossier.download.ts";
import { openDossier } from "./crm/dossier/dossier.operations.ts";
import { deleteContact } from "./crm/erasure/contact-removal.operations.ts";
import { readEventLog, positionBefore, reportEvent, getSampleEvent } from "./crm/event-log/event.operations.ts";
import { getDelivery } from "./crm/event-log/sent-delivery.operations.ts";
import { listNotes, addNote, getNote, updateNote, deleteNote } from "./crm/notes/note.operations.ts";
import {
  listOpportunities,
  createOpportunity,
  getOpportunity,
  updateOpportunity,
  deleteOpportunity,
} from "./crm/opportunities/opportunity.operations.ts";
import { createLocation } from "./crm/pipelines/open-location.operations.ts";
import { updatePipeline, deletePipeline } from "./crm/opportunities/pipeline-change.operations.ts";
import { listPipelines, createPipeline } from "./crm/pipelines/pipeline.operations.ts";
import {
  listCustomFields,
  createCustomField,
  updateCustomField,
  deleteCustomField,
} from "./crm/custom-fields/custom-field.operations.ts";
import { search } from "./crm/search/search.operations.ts";
import { listTags, createTag, updateTag, countTagged, deleteTag } from "./crm/tags/tag.operations.ts";
import { listTasks, createTask, getTask, updateTask, deleteTask } from "./crm/tasks/task.operations.ts";
import {
  countRunsOfChannel,
  enroll,
  enrollMatching,
  listWorkflowRuns,
  getWorkflowRun,
  removeRun,
  retryFailedRuns,
  retryRun,
} from "./crm/workflows/workflow-run.operations.ts";
import {
  listWorkflows,
  getWorkflow,
  judgeDraft,
  createWorkflow,
  updateWorkflow,
  publishWorkflow,
  rotateWorkflowSecret,
  setWorkflowSecret,
  unpublishWorkflow,
  deleteWorkflow,
  tryDefinition,
  tryWorkflow,
} from "./crm/workflows/workflow.operations.ts";
import { listAuditEntries } from "./audit/audit-entry.operations.ts";
import { setUp } from "./setup/setup.operations.ts";
import { listApps, showApp, createApp, publishApp, rotateAppSecret } from "./marketplace/apps/app.operations.ts";
import { updateApp } from "./marketplace/billing/app-change.operations.ts";
import { listSubscriptions, listLedger } from "./marketplace/billing/billing.operations.ts";
import { getCredential } from "./marketplace/oauth/credential.operations.ts";
import { connectApp, getAppAccount } from "./marketplace/billing/platform/account.operations.ts";
import {
  listPayouts,
  listCharges,
  getChargeOfApp,
  refundCharge,
  reconcileBilling,
} from "./marketplace/billing/platform/platform.operations.ts";
import { changeExistingPrices } from "./marketplace/billing/platform/price/price.operations.ts";
import {
  listInstalls,
  listInstalledApps,
  getInstall,
  uninstallApp,
} from "./marketplace/installs/install.operations.ts";
import { registerHook } from "./marketplace/installs/hook-registration.operations.ts";
import {
  listApiKeys,
  getApiKey,
  createApiKey,
  rotateApiKey,
  revokeApiKey,
} from "./tenancy/api-keys/api-key.operations.ts";
import { getLocation, updateLocation, listLocations } from "./tenancy/locations/location.operations.ts";
import { listSessions, endSessions } from "./tenancy/sessions/session.operations.ts";
import {
  listUsers,
  listPeople,
  getPerson,
  inviteUser,
  makeInvitationLink,
  updateUser,
  removeUser,
  signOutUser,
  resetPassword,
  removeTwoFactor,
  updateAccount,
} from "./tenancy/users/user.operations.ts";
import {
  listWorkspaces,
  createWorkspace,
  updateWorkspace,
  requireTwoFactor,
} from "./tenancy/workspaces/workspace.operations.ts";
import {
  listDeliveries,
  browseDeliveries,
  countDeliveries,
  replayDelivery,
  sendTest,
  replayFailed,
} from "./webhooks/deliveries/delivery.operations.ts";
import {
  listHooks,
  browseHooks,
  getHook,
  removeHook,
  createHook,
  updateHook,
  rotateHookSecret,
} from "./webhooks/hooks/hook.operations.ts";
import { at } from "./http/endpoint.ts";
import type { Endpoint } from "./http/endpoint.ts";
import type { AnyOperation } from "./operation/operation.ts";
import { limits } from "./vocabulary/limits.ts";

const table: readonly (Endpoint | AnyOperation)[] = [
  // the service, and its workspaces
  setUp,
  listWorkspaces,
  createWorkspace,
  updateWorkspace,
  requireTwoFactor,
  // the credential
  at("GET", "/me", getCredential, 200),
  // locations
  at("GET", "/locations", listLocations, 200),
  at("POST", "/locations", createLocation, 201),
  getLocation,
  at("PATCH", "/locations/{id}", updateLocation, 200),
  // contacts
  at("GET", "/contacts", listContacts, 200),
  at("POST", "/contacts", createContact, 201),
  at("POST", "/contacts/upsert", upsertContact, { created: 201, found: 200 }),
  at("POST", "/contacts/bulk", bulkUpsertContacts, 200),
  at("POST", "/contacts/import", uploadContacts, 200, { fileBytes: limits.importBytes }),
  importContacts,
  exportContacts,
  countContacts,
  at("GET", "/contacts/duplicates", listDuplicates, 200),
  at("GET", "/contacts/{id}", getContact, 200),
  at("PATCH", "/contacts/{id}", updateContact, 200),
  at("GET", "/contacts/{id}/dossier", openDossier, 200, { download: dossierDownload }),
  // 204 where the contact is deleted, 200 where the person is forgotten, 202 while the worker still does so.
  at("DELETE", "/contacts/{id}", deleteContact, { created: 200, pending: 202, found: 204 }),
  at("POST", "/contacts/{id}/merge", mergeContacts, { found: 200, pending: 202 }),
  at("GET", "/contacts/{id}/merges", listContactMerges, 200),
  at("POST", "/contacts/{id}/tags", addContactTag, 200),
  at("DELETE", "/contacts/{id}/tags/{tagId}", removeContactTag, 200),
  // all kinds of records
  at("GET", "/search", search, 200),
  // notes
  at("GET", "/contacts/{id}/notes", listNotes, 200),
  at("POST", "/contacts/{id}/notes", addNote, 201),
  at("GET", "/contacts/{id}/notes/{noteId}", getNote, 200),
  at("PATCH", "/contacts/{id}/notes/{noteId}", updateNote, 200),
  at("DELETE", "/contacts/{id}/notes/{noteId}", deleteNote, 204),
  // opportunities
  at("GET", "/opportunities", listOpportunities, 200),
  at("POST", "/opportunities", createOpportunity, 201),
  at("GET", "/opportunities/{id}", getOpportunity, 200),
  at("PATCH", "/opportunities/{id}", updateOpportunity, 200),
  at("DELETE", "/opportunities/{id}", deleteOpportunity, 204),
  // pipelines
  at("GET", "/pipelines", listPipelines, 200),
  at("POST", "/pipelines", createPipeline, 201),
  at("PATCH", "/pipelines/{id}", updatePipeline, 200),
  at("DELETE", "/pipelines/{id}", deletePipeline, 204),
  // tasks
  at("GET", "/tasks", listTasks, 200),
  at("POST", "/tasks", createTask, 201),
  at("GET", "/tasks/{id}", getTask, 200),
  at("PATCH", "/tasks/{id}", updateTask, 200),
  at("DELETE", "/tasks/{id}", deleteTask, 204),
  // conversations
  at("GET", "/conversations", listConversations, 200),
  at("POST", "/conversations", startConversation, { created: 201, found: 200 }),
  at("GET", "/conversations/{id}", getConversation, 200),
  at("PATCH", "/conversations/{id}", updateConversation, 200),
  at("DELETE", "/conversations/{id}", deleteConversation, 204),
  at("GET", "/conversations/{id}/messages", listMessages, 200),
  at("POST", "/conversations/{id}/messages", sendMessage, 201),
  at("POST", "/conversations/{id}/messages/{messageId}/retry", retryMessage, 200),
  at("POST", "/conversations/{id}/messages/{messageId}/cancel", cancelMessage, 200),
  at("POST", "/attachments", uploadAttachment, 201, { fileBytes: limits.attachmentBytes }),
  at("GET", "/attachments/{id}", getAttachment, 200),
  // workflows
  at("GET", "/workflows", listWorkflows, 200),
  at("GET", "/workflows/{id}", getWorkflow, 200),
  at("POST", "/workflows", createWorkflow, 201),
  judgeDraft,
  at("PATCH", "/workflows/{id}", updateWorkflow, 200),
  at("DELETE", "/workflows/{id}", deleteWorkflow, 204),
  enrollMatching,
  at("POST", "/workflows/{id}/publish", publishWorkflow, 200),
  at("POST", "/workflows/{id}/rotate-secret", rotateWorkflowSecret, 200),
  at("POST", "/workflows/{id}/secrets", setWorkflowSecret, 200),
  at("POST", "/workflows/{id}/unpublish", unpublishWorkflow, 200),
  at("POST", "/workflows/{id}/try", tryWorkflow, 200),
  tryDefinition,
  // workflow runs
  at("POST", "/workflows/{id}/enroll", enroll, { created: 201, found: 200 }),
  at("GET", "/workflows/{id}/runs", listWorkflowRuns, 200),
  at("GET", "/workflow-runs/{id}", getWorkflowRun, 200),
  at("POST", "/workflow-runs/{id}/retry", retryRun, 200),
  retryFailedRuns,
  countRunsOfChannel,
  at("DELETE", "/workflow-runs/{id}", removeRun, 200),
  // channels
  at("GET", "/channels", listChannels, 200),
  listChannelSettings,
  getChannelSettings,
  at("POST", "/channels", createChannel, 201),
  at("PATCH", "/channels/{id}", updateChannel, 200),
  setChannelStatus,
  at("POST", "/channels/{id}/rotate", rotateInboundUrl, 200),
  at("POST", "/channels/{id}/test", testChannel, 200),
  // custom fields
  at("GET", "/custom-fields", listCustomFields, 200),
  at("POST", "/custom-fields", createCustomField, 201),
  at("PATCH", "/custom-fields/{id}", updateCustomField, 200),
  at("DELETE", "/custom-fields/{id}", deleteCustomField, 204),

  // tags
  at("GET", "/tags", listTags, 200),
  at("POST", "/tags", createTag, 201),
  at("PATCH", "/tags/{id}", updateTag, 200),
  countTagged,
  at("DELETE", "/tags/{id}", deleteTag, 204),
  // users
  at("GET", "/users", listUsers, 200),
  listPeople,
  getPerson,
  at("POST", "/users", inviteUser, 201),
  makeInvitationLink,
  at("PATCH", "/users/{id}", updateUser, 200),
  at("DELETE", "/users/{id}", removeUser, 204),
  signOutUser,
  resetPassword,
  removeTwoFactor,
  // one's own account
  updateAccount,
  listSessions,
  endSessions,
  // API keys
  listApiKeys,
  getApiKey,
  createApiKey,
  rotateApiKey,
  revokeApiKey,
  // the event log
  at("GET", "/events", readEventLog, 200),
  positionBefore,
  at("POST", "/events", reportEvent, 201),
  at("GET", "/hooks/samples", getSampleEvent, 200),
  // the audit log
  at("GET", "/audit", listAuditEntries, 200),
  // webhooks
  at("GET", "/hooks", listHooks, 200),
  browseHooks,
  at("GET", "/hooks/{id}", getHook, 200),
  at("POST", "/hooks", registerHook, 201),
  createHook,
  at("PATCH", "/hooks/{id}", updateHook, 200),
  at("POST", "/hooks/{id}/rotate-secret", rotateHookSecret, 200),
  at("DELETE", "/hooks/{id}", removeHook, 204),
  // deliveries
  at("GET", "/hooks/{id}/deliveries", listDeliveries, 200),
  browseDeliveries,
  countDeliveries,
  at("GET", "/hooks/deliveries/{id}", getDelivery, 200),
  at("POST", "/hooks/deliveries/{id}/replay", replayDelivery, 202),
  replayFailed,
  at("POST", "/hooks/{id}/test", sendTest, 202),
  // apps
  listApps,
  showApp,
  createApp,
  updateApp,
  publishApp,
  rotateAppSecret,
  changeExistingPrices,
  connectApp,
  getAppAccount,
  // installs
  listInstalls,
  listInstalledApps,
  getInstall,
  uninstallApp,
  // billing
  listSubscriptions,
  listLedger,
  listPayouts,
  listCharges,
  getChargeOfApp,
  refundCharge,
  reconcileBilling,
];

export const operations: readonly AnyOperation[] = table.map((row) => ("operation" in row ? row.operation : row));

/** The operations of the API. */
export const endpoints: readonly Endpoint[] = table.filter((row) => "operation" in row);
