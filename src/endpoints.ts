/** Every address of the service on one screen, in the order that the documents show them; a test compares it with what is served. */
import { channelRoutes } from "./crm/channels/channel.routes.ts";
import { contactRoutes } from "./crm/contacts/contact.routes.ts";
import { eventRoutes } from "./crm/event-log/event.routes.ts";
import { conversationRoutes } from "./crm/conversations/conversation.routes.ts";
import { inboundRoutes } from "./crm/conversations/inbound/inbound.routes.ts";
import type { InboundGround } from "./crm/conversations/inbound/inbound.routes.ts";
import { noteRoutes } from "./crm/notes/note.routes.ts";
import { opportunityRoutes } from "./crm/opportunities/opportunity.routes.ts";
import { pipelineRoutes } from "./crm/pipelines/pipeline.routes.ts";
import { tagRoutes } from "./crm/tags/tag.routes.ts";
import { taskRoutes } from "./crm/tasks/task.routes.ts";
import { workflowRoutes } from "./crm/workflows/workflow.routes.ts";
import { documentRoutes } from "./http/documents/docs-page.ts";
import { frontPageRoutes } from "./http/documents/front-page.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { healthRoutes } from "./http/health.ts";
import type { Readiness } from "./http/health.ts";
import type { Route } from "./http/route.ts";
import { billingRoutes } from "./marketplace/billing/billing.routes.ts";
import type { BillingGround } from "./marketplace/billing/billing.routes.ts";
import { oauthRoutes } from "./marketplace/oauth/oauth.routes.ts";
import type { PageGround } from "./pages/page-routes.ts";
import { createPages } from "./pages/page-routes.ts";
import { locationRoutes } from "./tenancy/locations/location.routes.ts";
import { deliveryRoutes } from "./webhooks/deliveries/delivery.routes.ts";
import { hookRoutes } from "./webhooks/hooks/hook.routes.ts";
import { userRoutes } from "./tenancy/users/user.routes.ts";

/** The operations of the API, below /api/v1. */
export const endpoints: readonly Endpoint[] = [
  // GET     /locations                       listLocations
  ...locationRoutes,
  // GET     /contacts                        listContacts
  // POST    /contacts                        createContact
  // POST    /contacts/upsert                 upsertContact
  // POST    /contacts/bulk                   bulkUpsertContacts
  // GET     /contacts/{id}                   getContact
  // PATCH   /contacts/{id}                   updateContact
  // DELETE  /contacts/{id}                   deleteContact
  // POST    /contacts/{id}/tags              addContactTag
  // DELETE  /contacts/{id}/tags/{tagId}      removeContactTag
  ...contactRoutes,
  // GET     /contacts/{id}/notes             listNotes
  // POST    /contacts/{id}/notes             addNote
  ...noteRoutes,
  // GET     /opportunities                   listOpportunities
  // POST    /opportunities                   createOpportunity
  // GET     /opportunities/{id}              getOpportunity
  // PATCH   /opportunities/{id}              updateOpportunity
  ...opportunityRoutes,
  // GET     /pipelines                       listPipelines
  ...pipelineRoutes,
  // GET     /tasks                           listTasks
  // POST    /tasks                           createTask
  // PATCH   /tasks/{id}                      updateTask
  ...taskRoutes,
  // GET     /conversations                   listConversations
  // POST    /conversations                   startConversation
  // GET     /conversations/{id}              getConversation
  // PATCH   /conversations/{id}              updateConversation
  // GET     /conversations/{id}/messages     listMessages
  // POST    /conversations/{id}/messages     sendMessage
  ...conversationRoutes,
  // GET     /workflows                       listWorkflows
  // POST    /workflows/{id}/enroll           enroll
  // GET     /workflows/{id}/runs             listWorkflowRuns
  // GET     /workflow-runs/{id}              getWorkflowRun
  ...workflowRoutes,
  // GET     /channels                        listChannels
  ...channelRoutes,
  // GET     /tags                            listTags
  // POST    /tags                            createTag
  ...tagRoutes,
  // GET     /users                           listUsers
  ...userRoutes,
  // GET     /events                          readEventLog
  // POST    /events                          reportEvent
  // GET     /hooks/samples                   getSampleEvent
  ...eventRoutes,
  // GET     /hooks                           listHooks
  // POST    /hooks                           registerHook
  // DELETE  /hooks/{id}                      removeHook
  ...hookRoutes,
  // GET     /hooks/{id}/deliveries           listDeliveries
  // POST    /hooks/deliveries/{id}/replay    replayDelivery
  ...deliveryRoutes,
];

/** What the addresses around the API are handed by whoever starts the server. */
interface Surroundings extends PageGround {
  readonly version: string;
  readonly readiness: () => Promise<Readiness>;
  /** The OpenAPI document as JSON. */
  readonly openApi: () => string;
  /** What the addresses of channels need. */
  readonly inbound: InboundGround;
  /** What counts the requests of apps that report payments. */
  readonly budgets: Pick<BillingGround, "spend" | "spendFailure">;
}

/** All other addresses, from the root. */
export function createRoutes({
  version,
  readiness,
  openApi,
  inbound,
  budgets,
  ...ground
}: Surroundings): readonly Route[] {
  const { home, signIn, routes: pages } = createPages(ground);
  return [
    // GET     /
    // GET     /front-page.css
    // GET     /mark.svg
    ...frontPageRoutes({ version, baseUrl: ground.baseUrl, readiness, home, signIn }),
    // POST    /inbound/{token}
    // POST    /receipts/{token}
    ...inboundRoutes(inbound),
    // GET     /healthz
    // GET     /readyz
    ...healthRoutes(readiness),
    // GET     /openapi.json
    // GET     /docs
    // GET     /docs/start.js
    // GET     /docs/swagger-ui.css
    // GET     /docs/swagger-ui-bundle.js
    ...documentRoutes(openApi),
    // POST    /api/oauth/token
    // POST    /api/oauth/revoke
    // GET     /.well-known/oauth-authorization-server
    ...oauthRoutes(ground),
    // POST    /api/oauth/billing/webhook
    ...billingRoutes({ ...ground, ...budgets }),
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
    ...pages,
  ];
}
