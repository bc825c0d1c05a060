/** /oauth/installs/{token}: where people come back to from a payment page; whoever allowed the app goes on to it with a code, once. */
import type { Route } from "../../http/route.ts";
import type { Links } from "../../kit/links.ts";
import { finishInstall } from "../../marketplace/installs/answer-consent.service.ts";
import { findPendingInstall, pendingInstallPath } from "../../marketplace/installs/pending-install.service.ts";
import { findClientOf } from "../../marketplace/oauth/client.queries.ts";
import { OauthError, Untrusted } from "../../marketplace/oauth/oauth-error.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import type { PageRouteDeps } from "../page.route.ts";
import { foreignReturnPage, lostInstallPage, spentReturnPage } from "./return.page.ts";

interface ReturnRouteDeps extends PageRouteDeps {
  readonly links: Links;
}

export function returnRoutes(deps: ReturnRouteDeps): Route[] {
  const { site, database, clock } = deps;
  const { shown } = pageRoutes(deps);
  const spent = () => pageAnswer(400, spentReturnPage(site), { isOpened: true });

  return [
    shown({
      path: "/oauth/installs/{token}",
      summary: "Finishes an install after its payment, for whoever allowed it.",
      writes: true,
      async show({ session, formToken }, request) {
        const token = request.parameters["token"] ?? "";
        const pending = await findPendingInstall(database, token, clock.now());
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
          const next = await finishInstall(deps, { pending, session });
          return next === undefined ? spent() : redirectAnswer(next);
        } catch (error) {
          if (!(error instanceof Untrusted) && !(error instanceof OauthError)) throw error;
          return pageAnswer(403, lostInstallPage(site, client.name), { isOpened: true });
        }
      },
    }),
  ];
}
