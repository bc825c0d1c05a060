/** Every address of the service on one screen, in the order that the documents show them; a test compares it with what is served. */
import { listChannels } from "./crm/channels/channel.operations.ts";
import {
  listContacts,
  createContact,
  upsertContact,
  bulkUpsertContacts,
  getContact,
  updateContact,
  deleteContact,
  addContactTag,
  removeContactTag,
} from "./crm/contacts/contact.operations.ts";
import { readEventLog, reportEvent, getSampleEvent } from "./crm/event-log/event.operations.ts";
import {
  listConversations,
  startConversation,
  getConversation,
  updateConversation,
  listMessages,
  sendMessage,
} from "./crm/conversations/conversation.operations.ts";
import { inboundRoutes } from "./crm/conversations/inbound/inbound.routes.ts";
import type { InboundDeps } from "./crm/conversations/inbound/inbound.routes.ts";
import { listNotes, addNote } from "./crm/notes/note.operations.ts";
import {
  listOpportunities,
  createOpportunity,
  getOpportunity,
  updateOpportunity,
} from "./crm/opportunities/opportunity.operations.ts";
import { listPipelines } from "./crm/pipelines/pipeline.operations.ts";
import { listTags, createTag } from "./crm/tags/tag.operations.ts";
import { listTasks, createTask, updateTask } from "./crm/tasks/task.operations.ts";
import { enroll, listWorkflowRuns, getWorkflowRun } from "./crm/workflows/workflow-run.operations.ts";
import { listWorkflows } from "./crm/workflows/workflow.operations.ts";
import { documentRoutes } from "./http/documents/docs-page.ts";
import { at } from "./http/endpoint.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { healthRoutes } from "./http/health.ts";
import type { Route } from "./http/route.ts";
import { billingRoutes } from "./marketplace/billing/billing.routes.ts";
import type { BillingDeps } from "./marketplace/billing/billing.routes.ts";
import { oauthRoutes } from "./marketplace/oauth/oauth.routes.ts";
import type { OauthDeps } from "./marketplace/oauth/oauth.routes.ts";
import type { PageDeps } from "./pages/page-routes.ts";
import { createPages } from "./pages/page-routes.ts";
import { listLocations } from "./tenancy/locations/location.operations.ts";
import { listDeliveries, replayDelivery } from "./webhooks/deliveries/delivery.operations.ts";
import { listHooks, registerHook, removeHook } from "./webhooks/hooks/hook.operations.ts";
import { listUsers } from "./tenancy/users/user.operations.ts";

/** The operations of the API, below /api/v1. */
export const endpoints: readonly Endpoint[] = [
  at("GET", "/locations", listLocations, 200),
  at("GET", "/contacts", listContacts, 200),
  at("POST", "/contacts", createContact, 201),
  at("POST", "/contacts/upsert", upsertContact, { created: 201, found: 200 }),
  at("POST", "/contacts/bulk", bulkUpsertContacts, 200),
  at("GET", "/contacts/{id}", getContact, 200),
  at("PATCH", "/contacts/{id}", updateContact, 200),
  at("DELETE", "/contacts/{id}", deleteContact, 204),
  at("POST", "/contacts/{id}/tags", addContactTag, 200),
  at("DELETE", "/contacts/{id}/tags/{tagId}", removeContactTag, 200),
  at("GET", "/contacts/{id}/notes", listNotes, 200),
  at("POST", "/contacts/{id}/notes", addNote, 201),
  at("GET", "/opportunities", listOpportunities, 200),
  at("POST", "/opportunities", createOpportunity, 201),
  at("GET", "/opportunities/{id}", getOpportunity, 200),
  at("PATCH", "/opportunities/{id}", updateOpportunity, 200),
  at("GET", "/pipelines", listPipelines, 200),
  at("GET", "/tasks", listTasks, 200),
  at("POST", "/tasks", createTask, 201),
  at("PATCH", "/tasks/{id}", updateTask, 200),
  at("GET", "/conversations", listConversations, 200),
  at("POST", "/conversations", startConversation, { created: 201, found: 200 }),
  at("GET", "/conversations/{id}", getConversation, 200),
  at("PATCH", "/conversations/{id}", updateConversation, 200),
  at("GET", "/conversations/{id}/messages", listMessages, 200),
  at("POST", "/conversations/{id}/messages", sendMessage, 201),
  at("GET", "/workflows", listWorkflows, 200),
  at("POST", "/workflows/{id}/enroll", enroll, 201),
  at("GET", "/workflows/{id}/runs", listWorkflowRuns, 200),
  at("GET", "/workflow-runs/{id}", getWorkflowRun, 200),
  at("GET", "/channels", listChannels, 200),
  at("GET", "/tags", listTags, 200),
  at("POST", "/tags", createTag, 201),
  at("GET", "/users", listUsers, 200),
  at("GET", "/events", readEventLog, 200),
  at("POST", "/events", reportEvent, 201),
  at("GET", "/hooks/samples", getSampleEvent, 200),
  at("GET", "/hooks", listHooks, 200),
  at("POST", "/hooks", registerHook, 201),
  at("DELETE", "/hooks/{id}", removeHook, 204),
  at("GET", "/hooks/{id}/deliveries", listDeliveries, 200),
  at("POST", "/hooks/deliveries/{id}/replay", replayDelivery, 202),
];

/** What the addresses around the API are handed by whoever starts the server. */
interface RouteDeps extends PageDeps {
  /** The OpenAPI document as JSON. */
  readonly openApi: () => string;
  /** What the addresses of channels need. */
  readonly inbound: InboundDeps;
  /** What counts the requests of apps that report payments, redeem and refresh. */
  readonly budgets: Pick<BillingDeps & OauthDeps, "spend" | "spendFailure" | "spendTokens">;
}

/** All other addresses, from the root. */
export function createRoutes({ openApi, inbound, budgets, ...deps }: RouteDeps): readonly Route[] {
  return [
    // POST    /inbound/{token}
    // POST    /receipts/{token}
    ...inboundRoutes(inbound),
    // GET     /healthz
    // GET     /readyz
    ...healthRoutes(deps.readiness),
    // GET     /openapi.json
    // GET     /docs
    // GET     /docs/start.js
    // GET     /docs/swagger-ui.css
    // GET     /docs/swagger-ui-bundle.js
    ...documentRoutes(openApi),
    // POST    /api/oauth/token
    // POST    /api/oauth/revoke
    // GET     /.well-known/oauth-authorization-server
    ...oauthRoutes({ ...deps, ...budgets }),
    // POST    /api/oauth/billing/webhook
    ...billingRoutes({ ...deps, ...budgets }),
    // GET     /
    // GET     /sign-in
    // POST    /sign-in
    // POST    /sign-out
    // GET     /forgotten-password
    // GET     /invitation/{token}
    // POST    /invitation/{token}
    // GET     /reset/{token}
    // POST    /reset/{token}
    // GET     /oauth/authorize
    // POST    /oauth/authorize
    // GET     /oauth/installs/{token}
    // GET     /apps/{install}/uninstall
    // POST    /apps/{install}/uninstall
    // GET     /assets/{hash}/{name}
    // GET     /favicon.ico
    ...createPages(deps),
  ];
}
