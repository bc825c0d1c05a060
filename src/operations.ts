/** Everything that can be done with the service, on one screen: what every surface offers is one of these. */
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
import { importContacts } from "./crm/contacts/import.operations.ts";
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
import { listApps, createApp, updateApp, publishApp, rotateAppSecret } from "./marketplace/apps/app.operations.ts";
import { listSubscriptions, listLedger } from "./marketplace/billing/billing.operations.ts";
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
import type { AnyOperation } from "./operation/operation.ts";

export const operations: readonly AnyOperation[] = [
  // workspaces
  listWorkspaces,
  createWorkspace,
  updateWorkspace,
  // locations
  updateLocation,
  listLocations,
  // users
  listUsers,
  inviteUser,
  updateUser,
  removeUser,
  resetPassword,
  // api-keys
  listApiKeys,
  createApiKey,
  rotateApiKey,
  revokeApiKey,
  // contacts
  listContacts,
  searchContacts,
  createContact,
  upsertContact,
  bulkUpsertContacts,
  importContacts,
  getContact,
  updateContact,
  deleteContact,
  addContactTag,
  removeContactTag,
  // notes
  listNotes,
  addNote,
  // tags
  listTags,
  createTag,
  renameTag,
  countTagged,
  deleteTag,
  // opportunities
  listOpportunities,
  createOpportunity,
  getOpportunity,
  updateOpportunity,
  // locations, with the pipeline that each begins with
  createLocation,
  // pipelines
  listPipelines,
  createPipeline,
  // tasks
  listTasks,
  createTask,
  updateTask,
  // conversations
  listConversations,
  startConversation,
  getConversation,
  updateConversation,
  listMessages,
  sendMessage,
  // channels
  listChannels,
  listChannelSettings,
  getChannelSettings,
  createChannel,
  updateChannel,
  setChannelStatus,
  rotateInboundUrl,
  testChannel,
  // workflows
  listWorkflows,
  getWorkflow,
  judgeDraft,
  createWorkflow,
  updateWorkflow,
  publishWorkflow,
  unpublishWorkflow,
  tryDefinition,
  // workflow-runs
  enroll,
  listWorkflowRuns,
  getWorkflowRun,
  removeRun,
  // event-log
  readEventLog,
  positionBefore,
  reportEvent,
  getSampleEvent,
  // hooks
  listHooks,
  registerHook,
  removeHook,
  createHook,
  setHookStatus,
  rotateHookSecret,
  // deliveries
  listDeliveries,
  replayDelivery,
  sendTest,
  replayFailed,
  // apps
  listApps,
  createApp,
  updateApp,
  publishApp,
  rotateAppSecret,
  // installs
  listInstalls,
  uninstallApp,
  // billing
  listSubscriptions,
  listLedger,
];
