/** /oauth/installs/{token}: where people come back to from a payment page; whoever allowed the app goes on to it with a code, once. */
import type { Route } from "../../http/route.ts";
import type { Links } from "../../kit/links.ts";
import { requireProcessor } from "../../marketplace/apps/app.billing.ts";
import {
  findPendingInstall,
  markFinished,
  pendingInstallPath,
} from "../../marketplace/billing/pending-install.service.ts";
import type { PendingInstall } from "../../marketplace/billing/pending-install.service.ts";
import { judgeAgain, toRedirect } from "../../marketplace/oauth/authorization-request.ts";
import { findClientOf, holdClientOf } from "../../marketplace/oauth/client.queries.ts";
import { holdGrantablePlace } from "../../marketplace/oauth/consent.queries.ts";
import { allow } from "../../marketplace/oauth/consent.service.ts";
import { OauthError, Untrusted } from "../../marketplace/oauth/oauth-error.ts";
import { issuerOf } from "../../marketplace/oauth/oauth.routes.ts";
import type { Writer } from "../../storage/rows.ts";
import type { Session } from "../../tenancy/sessions/session.service.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import type { PageGround } from "../page.route.ts";
import { foreignReturnPage, lostInstallPage, spentReturnPage } from "./return.page.ts";

interface ReturnGround extends PageGround {
  readonly links: Links;
}

export function returnRoutes(ground: ReturnGround): Route[] {
  const { site, database, clock, links } = ground;
  const { shown } = pageRoutes(ground);
  const issuer = issuerOf(links);
  const spent = () => pageAnswer(400, spentReturnPage(site), { isOpened: true });

  /**
   * The way on to the app, with a code; undefined where another request came first. A day is long: what was asked is judged by the app as
   * it is now. Throws Untrusted and OauthError.
   */
  async function finish(
    change: Writer,
    { pending, session, now }: { pending: PendingInstall; session: Session; now: Date },
  ): Promise<string | undefined> {
    const client = await holdClientOf(change, pending.appId);
    if (client === undefined) return undefined;
    judgeAgain(client, pending);
    requireProcessor(client);
    const place = await holdGrantablePlace(change, session.userId, client, pending.locationId);
    if (place === undefined) throw new OauthError("access_denied", "The location was lost meanwhile.");
    if (!(await markFinished(change, pending, now))) return undefined;
    return toRedirect(pending, issuer, { code: await allow(change, pending, { session, place, now }) });
  }

  return [
    shown({
      path: "/oauth/installs/{token}",
      summary: "Finishes an install after its payment, for whoever allowed it.",
      writes: true,
      async show({ session, formToken }, request) {
        const now = clock.now();
        const token = request.parameters["token"] ?? "";
        const pending = await findPendingInstall(database, token, now);
        const client = pending && (await findClientOf(database, pending.appId));
        if (pending === undefined || client === undefined) return spent();
        const continueTo = pendingInstallPath(token);
        if (session === undefined) {
          return redirectAnswer(`${site.path("/sign-in")}?continue=${encodeURIComponent(continueTo)}`);
        }
        if (session.userId !== pending.userId) {
          const page = foreignReturnPage(site, { formToken, app: client.name, person: session, continueTo });
          return pageAnswer(403, page, { isOpened: true });
        }
        try {
          const next = await database.transaction((change) => finish(change, { pending, session, now }));
          return next === undefined ? spent() : redirectAnswer(next);
        } catch (error) {
          if (!(error instanceof Untrusted) && !(error instanceof OauthError)) throw error;
          return pageAnswer(403, lostInstallPage(site, client.name), { isOpened: true });
        }
      },
    }),
  ];
}
