/** The routes of all pages, in the order of src/routes.ts. */
import type { Readiness } from "../http/health.ts";
import type { Route } from "../http/route.ts";
import type { CallAs } from "../events/call-as.ts";
import type { Links } from "../kit/links.ts";
import type { MasterKeys } from "../kit/secrets/master-keys.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { PlatformDeps } from "../marketplace/billing/platform/platform-deps.ts";
import type { StripeConnection } from "../outbound/stripe.ts";
import { findPendingInstall } from "../marketplace/installs/pending-install.service.ts";
import { findClient, findClientOf } from "../marketplace/oauth/client.queries.ts";
import type { OperationDeps } from "../operation/carry-out.ts";
import type { Database } from "../storage/database.ts";
import { createForgottenPasswords } from "../tenancy/invitations/forgotten-password.ts";
import { createKnownBrowsers } from "../tenancy/sessions/known-browser.ts";
import type { Mailer } from "../mail/mailer.ts";
import { accountRoutes } from "./account/account.routes.ts";
import type { Attempts } from "./account/account.routes.ts";
import { assetRoutes } from "./assets.ts";
import { consentRoutes } from "./consent/consent.routes.ts";
import { formActionOf } from "./consent/form-action.ts";
import { returnRoutes } from "./consent/return.routes.ts";
import { homeRoutes } from "./home/home.routes.ts";
import { startRoutes } from "./home/start.routes.ts";
import { createSite } from "./site.ts";

export interface PageDeps {
  readonly version: string;
  readonly readiness: () => Promise<Readiness>;
  readonly database: Database;
  readonly clock: Clock;
  readonly links: Links;
  /** Seals the known-browser cookies. */
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
}

export function createPages({
  version,
  readiness,
  database,
  clock,
  links,
  vault,
  callAs,
  operating,
  baseUrl,
  attempts,
  mailer,
  stripe,
  graceDays,
  log,
}: PageDeps): readonly Route[] {
  const deps = {
    database,
    clock,
    links,
    callAs,
    operating,
    stripe,
    graceDays,
    log,
    site: createSite(links, baseUrl),
  };
  return [
    ...startRoutes({ ...deps, version, baseUrl, readiness }),
    ...accountRoutes({
      ...deps,
      attempts,
      browsers: createKnownBrowsers({ vault, clock }),
      forgotten: mailer === null ? undefined : createForgottenPasswords({ database, clock, links, mailer, log }),
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
    ...consentRoutes(deps),
    ...returnRoutes(deps),
    ...homeRoutes(deps),
    ...assetRoutes,
  ];
}
