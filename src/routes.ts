/** Every address that is no operation of the API, on one screen: pages, forms, health, OAuth, inbound messages. A test compares it with what is served. */
import { inboundRoutes } from "./crm/conversations/inbound/inbound.routes.ts";
import type { InboundDeps } from "./crm/conversations/inbound/inbound.routes.ts";
import { documentRoutes } from "./http/documents/docs-page.ts";
import { healthRoutes } from "./http/health.ts";
import type { Route } from "./http/route.ts";
import { billingRoutes } from "./marketplace/billing/billing.routes.ts";
import type { BillingDeps } from "./marketplace/billing/billing.routes.ts";
import { stripeRoutes } from "./marketplace/billing/platform/events/stripe.routes.ts";
import { oauthRoutes } from "./marketplace/oauth/oauth.routes.ts";
import type { OauthDeps } from "./marketplace/oauth/oauth.routes.ts";
import type { PageDeps } from "./pages/page-routes.ts";
import { createPages } from "./pages/page-routes.ts";

/** Dependencies of the routes. */
interface RouteDeps extends PageDeps {
  /** Returns the OpenAPI document as JSON. */
  readonly openApi: () => string;
  /** Dependencies of the channel routes. */
  readonly inbound: InboundDeps;
  /** Rate limits of apps' payment reports and token requests. */
  readonly budgets: Pick<BillingDeps & OauthDeps, "spend" | "spendFailure" | "spendTokens">;
}

/** The routes, in matching order. */
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
    // POST    /api/billing/stripe
    ...stripeRoutes(deps),
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
    // POST    /oauth/installs/{token}
    // GET     /apps/{install}/uninstall
    // GET     /apps/{install}/billing
    // POST    /apps/{install}/uninstall
    // GET     /assets/{hash}/{name}
    // GET     /favicon.ico
    ...createPages(deps),
  ];
}
