/** Every address that is no operation of the API, on one screen: pages, forms, health, OAuth, inbound messages. A test compares it with what is served. */
import { agentRoutes } from "./agents/agent.routes.ts";
import type { AgentDeps } from "./agents/agent.routes.ts";
import { attachmentRoutes } from "./crm/conversations/attachments/attachment.routes.ts";
import type { AttachmentDeps } from "./crm/conversations/attachments/attachment.routes.ts";
import { inboundDocuments } from "./crm/conversations/inbound/inbound.document.ts";
import { inboundRoutes } from "./crm/conversations/inbound/inbound.routes.ts";
import type { InboundDeps } from "./crm/conversations/inbound/inbound.routes.ts";
import { documentRoutes } from "./http/documents/document-routes.ts";
import type { RouteDocument } from "./http/documents/route-document.ts";
import { healthRoutes } from "./http/health.ts";
import type { Route } from "./http/route.ts";
import { reportDocuments } from "./marketplace/billing/external/report.document.ts";
import { reportRoutes } from "./marketplace/billing/external/report.routes.ts";
import type { ReportDeps } from "./marketplace/billing/external/report.routes.ts";
import { stripeRoutes } from "./marketplace/billing/platform/events/stripe.routes.ts";
import { oauthDocuments } from "./marketplace/oauth/oauth.document.ts";
import { oauthRoutes } from "./marketplace/oauth/oauth.routes.ts";
import type { OauthDeps } from "./marketplace/oauth/oauth.routes.ts";
import { metricsRoutes } from "./metrics/metrics.routes.ts";
import type { MetricsRouteDeps } from "./metrics/metrics.routes.ts";
import type { PageDeps } from "./pages/page-routes.ts";
import { createPages } from "./pages/page-routes.ts";

/** Dependencies of the routes. */
interface RouteDeps extends PageDeps {
  /** Dependencies of the channel routes. */
  readonly inbound: InboundDeps;
  readonly attachments: AttachmentDeps;
  readonly agents: AgentDeps;
  readonly scraping: Pick<MetricsRouteDeps, "settings" | "metrics">;
  /** Rate limits of apps' payment reports and token requests. */
  readonly budgets: Pick<ReportDeps & OauthDeps, "limitRequests" | "limitFailures" | "limitTokens">;
}

/** The routes that the OpenAPI document describes beside the operations. */
export const routeDocuments: readonly RouteDocument[] = [...oauthDocuments, ...reportDocuments, ...inboundDocuments];

/** The routes, in matching order. */
export function createRoutes({
  inbound,
  attachments,
  agents,
  scraping,
  budgets,
  ...deps
}: RouteDeps): readonly Route[] {
  return [
    // POST    /inbound/{token}
    // POST    /receipts/{token}
    ...inboundRoutes(inbound),
    // GET     /attachments/{id}/{name}
    ...attachmentRoutes(attachments),
    // GET     /healthz
    // GET     /readyz
    ...healthRoutes(deps.readiness),
    // GET     /metrics
    ...metricsRoutes({ ...scraping, ...budgets }),
    // GET     /openapi.json
    ...documentRoutes(deps.openApi),
    // POST    /mcp
    // GET     /.well-known/oauth-protected-resource/mcp
    // GET     /.well-known/oauth-protected-resource
    ...agentRoutes(agents),
    // POST    /api/oauth/token
    // POST    /api/oauth/revoke
    // GET     /.well-known/oauth-authorization-server
    ...oauthRoutes({ ...deps, ...budgets }),
    // POST    /api/oauth/billing/webhook
    ...reportRoutes({ ...deps, ...budgets }),
    // POST    /api/billing/stripe
    ...stripeRoutes(deps),
    // GET     /docs
    // GET     /docs/{chapter}
    // GET     /docs/{chapter}/{page}
    // GET     /
    // GET     /sign-in
    // POST    /sign-in
    // POST    /sign-out
    // GET     /sign-in/code
    // POST    /sign-in/code
    // GET     /forgotten-password
    // GET     /invitation/{token}
    // POST    /invitation/{token}
    // GET     /reset/{token}
    // POST    /reset/{token}
    // GET     /setup/{token}
    // POST    /setup/{token}
    // GET     /unsubscribe/{token}
    // POST    /unsubscribe/{token}
    // GET     /me
    // POST    /me/name
    // POST    /me/theme
    // POST    /me/password
    // GET     /me/sessions
    // POST    /me/sessions
    // GET     /me/two-factor
    // POST    /me/two-factor
    // GET     /me/two-factor/off
    // POST    /me/two-factor/off
    // GET     /me/two-factor/recovery-codes
    // POST    /me/two-factor/recovery-codes
    // GET     /oauth/authorize
    // POST    /oauth/authorize
    // GET     /oauth/installs/{token}
    // POST    /oauth/installs/{token}
    // GET     /apps/{install}/uninstall
    // GET     /apps/{install}/billing
    // POST    /apps/{install}/uninstall
    // GET     /w/{workspace}/keys
    // GET     /w/{workspace}/keys/new
    // POST    /w/{workspace}/keys/new
    // GET     /w/{workspace}/keys/{key}/rotate
    // POST    /w/{workspace}/keys/{key}/rotate
    // GET     /w/{workspace}/keys/{key}/revoke
    // POST    /w/{workspace}/keys/{key}/revoke
    // GET     /w/{workspace}/webhooks
    // GET     /w/{workspace}/webhooks/new
    // POST    /w/{workspace}/webhooks/new
    // GET     /w/{workspace}/webhooks/{hook}
    // POST    /w/{workspace}/webhooks/{hook}/status
    // POST    /w/{workspace}/webhooks/{hook}/test
    // GET     /w/{workspace}/webhooks/{hook}/events
    // POST    /w/{workspace}/webhooks/{hook}/events
    // GET     /w/{workspace}/webhooks/{hook}/secret
    // POST    /w/{workspace}/webhooks/{hook}/secret
    // GET     /w/{workspace}/webhooks/{hook}/replay
    // POST    /w/{workspace}/webhooks/{hook}/replay
    // GET     /w/{workspace}/webhooks/{hook}/remove
    // POST    /w/{workspace}/webhooks/{hook}/remove
    // GET     /w/{workspace}/deliveries/{delivery}
    // POST    /w/{workspace}/deliveries/{delivery}/replay
    // GET     /w/{workspace}/people
    // GET     /w/{workspace}/people/invite
    // POST    /w/{workspace}/people/invite
    // GET     /w/{workspace}/people/{user}
    // POST    /w/{workspace}/people/{user}
    // POST    /w/{workspace}/people/{user}/link
    // POST    /w/{workspace}/people/{user}/sign-out
    // GET     /w/{workspace}/people/{user}/remove
    // POST    /w/{workspace}/people/{user}/remove
    // GET     /w/{workspace}/two-factor
    // POST    /w/{workspace}/two-factor
    // GET     /w/{workspace}/locations
    // GET     /w/{workspace}/locations/new
    // POST    /w/{workspace}/locations/new
    // GET     /w/{workspace}/locations/{location}
    // POST    /w/{workspace}/locations/{location}
    // GET     /w/{workspace}/apps
    // GET     /w/{workspace}/apps/installed
    // GET     /w/{workspace}/apps/new
    // POST    /w/{workspace}/apps/new
    // GET     /w/{workspace}/apps/{app}
    // POST    /w/{workspace}/apps/{app}
    // GET     /w/{workspace}/apps/{app}/publish
    // POST    /w/{workspace}/apps/{app}/publish
    // GET     /w/{workspace}/apps/{app}/rotate
    // POST    /w/{workspace}/apps/{app}/rotate
    // POST    /w/{workspace}/apps/{app}/connect
    // GET     /w/{workspace}/apps/installed/{install}/uninstall
    // POST    /w/{workspace}/apps/installed/{install}/uninstall
    // GET     /w/{workspace}/events
    // GET     /w/{workspace}/events/{position}
    // GET     /w/{workspace}/audit
    // GET     /w/{workspace}/billing
    // GET     /w/{workspace}/billing/payouts
    // GET     /w/{workspace}/billing/payouts.csv
    // GET     /w/{workspace}/billing/charges
    // GET     /w/{workspace}/billing/charges/{charge}/refund
    // POST    /w/{workspace}/billing/charges/{charge}/refund
    // GET     /l/{location}/workflows
    // GET     /l/{location}/workflows/{workflow}
    // POST    /l/{location}/workflows/{workflow}/publish
    // GET     /l/{location}/workflows/{workflow}/unpublish
    // POST    /l/{location}/workflows/{workflow}/unpublish
    // GET     /l/{location}/workflows/{workflow}/secret
    // POST    /l/{location}/workflows/{workflow}/secret
    // POST    /l/{location}/workflows/{workflow}/enroll
    // GET     /l/{location}/runs/{run}
    // POST    /l/{location}/runs/{run}/retry
    // GET     /l/{location}/runs/{run}/remove
    // POST    /l/{location}/runs/{run}/remove
    // GET     /l/{location}/channels
    // GET     /l/{location}/channels/new
    // POST    /l/{location}/channels/new
    // GET     /l/{location}/channels/{channel}
    // POST    /l/{location}/channels/{channel}/status
    // POST    /l/{location}/channels/{channel}/test
    // GET     /l/{location}/channels/{channel}/rotate
    // POST    /l/{location}/channels/{channel}/rotate
    // GET     /l/{location}/live
    // GET     /w/{workspace}/live
    // GET     /assets/{hash}/{name}
    // GET     /favicon.ico
    ...createPages(deps),
  ];
}
