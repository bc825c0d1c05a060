/** The routes of all pages, in the order of src/routes.ts. */
import type { Readiness } from "../http/health.ts";
import type { Route } from "../http/route.ts";
import type { CallAs } from "../events/call-as.ts";
import type { Links } from "../kit/links.ts";
import type { MasterKeys } from "../kit/secrets/master-keys.ts";
import type { SignedIds } from "../kit/secrets/signed-id.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { PlatformDeps } from "../marketplace/billing/platform/platform-deps.ts";
import type { StripeConnection } from "../outbound/stripe.ts";
import { findPendingInstall } from "../marketplace/installs/pending-install.service.ts";
import { findClient, findClientOf } from "../marketplace/oauth/client.queries.ts";
import type { OperationDeps } from "../operation/carry-out.ts";
import type { Database } from "../storage/database.ts";
import { createForgottenPasswords } from "../tenancy/invitations/forgotten-password.ts";
import { createKnownBrowsers } from "../tenancy/sessions/known-browser.ts";
import { createMailQueue } from "../mail/mail-queue.ts";
import type { Mailer } from "../mail/mailer.ts";
import { createSecondFactorMails } from "../tenancy/two-factor/second-factor-mail.ts";
import { accountRoutes } from "./account/account.routes.ts";
import type { Attempts } from "./account/account-deps.ts";
import { setupRoutes } from "./account/setup.routes.ts";
import { assetRoutes } from "./assets.ts";
import { consentRoutes } from "./consent/consent.routes.ts";
import { formActionOf } from "./consent/form-action.ts";
import { returnRoutes } from "./consent/return.routes.ts";
import { appRoutes } from "./console/apps/app.routes.ts";
import { auditLogRoutes } from "./console/audit/audit-log.routes.ts";
import { billingRoutes } from "./console/billing/billing.routes.ts";
import { channelRoutes } from "./console/channels/channel.routes.ts";
import { workflowRoutes } from "./console/workflows/workflow.routes.ts";
import { eventLogRoutes } from "./console/events/event-log.routes.ts";
import { keyRoutes } from "./console/keys/key.routes.ts";
import { deliveryRoutes } from "./console/webhooks/delivery.routes.ts";
import { hookRoutes } from "./console/webhooks/hook.routes.ts";
import { locationRoutes } from "./console/locations/location.routes.ts";
import { personRoutes } from "./console/people/person.routes.ts";
import { requiredFactorRoutes } from "./console/people/two-factor.routes.ts";
import { homeRoutes } from "./home/home.routes.ts";
import { showMissingAddress } from "./missing-address.ts";
import type { LiveHub } from "./live/live-hub.ts";
import { liveRoutes } from "./live/live.routes.ts";
import { referenceRoutes } from "./reference/reference.routes.ts";
import { startRoutes } from "./home/start.routes.ts";
import { accountPageRoutes } from "./me/me.routes.ts";
import { twoFactorRoutes } from "./me/two-factor.routes.ts";
import { createSite } from "./site.ts";
import { unsubscribeRoutes } from "./unsubscribe/unsubscribe.routes.ts";
import { themedRoute } from "./theme.ts";

export interface PageDeps {
  readonly version: string;
  /** The OpenAPI document as JSON. */
  readonly openApi: () => string;
  readonly readiness: () => Promise<Readiness>;
  readonly database: Database;
  readonly clock: Clock;
  readonly links: Links;
  /** Verifies the tokens of links in mails. */
  readonly signedIds: SignedIds;
  /** Seals secrets of two-factor sign-in, and cookies. */
  readonly vault: Pick<MasterKeys, "seal" | "open">;
  readonly callAs: CallAs;
  /** Dependencies of operations. */
  readonly operating: OperationDeps;
  /** CRM_BASE_URL; null for the URL of the request. */
  readonly baseUrl: string | null;
  readonly attempts: Attempts;
  /** Null if links are printed in the terminal instead of mailed. */
  readonly mailer: Mailer | null;
  /** The payment processor of platform billing; null where none is set up. */
  readonly stripe: StripeConnection | null;
  /** CRM_BILLING_GRACE_DAYS. */
  readonly graceDays: number;
  readonly log: PlatformDeps["log"];
  /** The live streams of this process. */
  readonly live: LiveHub;
}

export function createPages({
  version,
  openApi,
  readiness,
  database,
  clock,
  links,
  signedIds,
  vault,
  callAs,
  operating,
  baseUrl,
  attempts,
  mailer,
  stripe,
  graceDays,
  log,
  live,
}: PageDeps): readonly Route[] {
  const mails = mailer === null ? undefined : createMailQueue({ mailer, log });
  const deps = {
    database,
    clock,
    links,
    signedIds,
    mailSecondFactor: createSecondFactorMails({ mails, links }),
    vault,
    attempts,
    browsers: createKnownBrowsers({ vault, clock }),
    callAs,
    operating,
    stripe,
    graceDays,
    log,
    live,
    site: createSite(links, baseUrl),
  };
  const routes = [
    ...referenceRoutes({ site: deps.site, links, openApi, missing: showMissingAddress(links, baseUrl) }),
    ...startRoutes({ ...deps, version, baseUrl, readiness }),
    ...accountRoutes({
      ...deps,
      forgotten: mails && createForgottenPasswords({ database, clock, links, mails }),
      async appBehind(path) {
        const [, token] = /^\/oauth\/installs\/(\w+)$/.exec(path) ?? [];
        if (token !== undefined) {
          const pending = await findPendingInstall(database, token, clock.now());
          const client = pending && (await findClientOf(database, pending.appId));
          // Signing in there redirects to the app immediately.
          return (
            client && {
              name: client.name,
              formAction: formActionOf(pending.redirectUri, { paymentPageUrl: null, price: null }, stripe),
            }
          );
        }
        const clientId = URL.parse(path, "http://here")?.searchParams.get("client_id");
        return clientId ? findClient(database, clientId) : undefined;
      },
    }),
    ...setupRoutes(deps),
    ...unsubscribeRoutes(deps),
    ...accountPageRoutes(deps),
    ...twoFactorRoutes(deps),
    ...consentRoutes(deps),
    ...returnRoutes(deps),
    ...homeRoutes(deps),
    ...keyRoutes(deps),
    ...hookRoutes(deps),
    ...deliveryRoutes(deps),
    ...personRoutes(deps),
    ...requiredFactorRoutes(deps),
    ...locationRoutes(deps),
    ...appRoutes(deps),
    ...eventLogRoutes(deps),
    ...auditLogRoutes(deps),
    ...billingRoutes(deps),
    ...workflowRoutes(deps),
    ...channelRoutes(deps),
    ...liveRoutes(deps),
    ...assetRoutes,
  ];
  return routes.map((one) => themedRoute(deps.site, one));
}
