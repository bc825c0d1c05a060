/** /oauth/installs/{token}: where people come back to from a payment page; whoever allowed the app goes on to it with a code, once. */
import type { Route } from "../../http/route.ts";
import type { Links } from "../../kit/links.ts";
import { requireProcessor } from "../../marketplace/apps/app.billing.ts";
import {
  findPendingInstall,
  markFinished,
  pendingInstallPath,
} from "../../marketplace/billing/pending-install.service.ts";
import { toRedirect } from "../../marketplace/oauth/authorization-request.ts";
import { findClientOf } from "../../marketplace/oauth/client.queries.ts";
import { findGrantablePlaces } from "../../marketplace/oauth/consent.queries.ts";
import { allow } from "../../marketplace/oauth/consent.service.ts";
import { issuerOf } from "../../marketplace/oauth/oauth.routes.ts";
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
        requireProcessor(client);
        const { places } = await findGrantablePlaces(database, session.userId, client);
        const place = places.find(({ id }) => id === pending.locationId);
        // A day is long: what the app has taken back since, a code must not go to.
        if (place === undefined || !client.redirectUris.includes(pending.redirectUri)) {
          return pageAnswer(403, lostInstallPage(site, client.name), { isOpened: true });
        }
        const code = await database.transaction(async (change) => {
          if (!(await markFinished(change, pending, now))) return undefined;
          return allow({ rows: change.rows, now }, pending, session, place);
        });
        return code === undefined ? spent() : redirectAnswer(toRedirect(pending, issuer, { code }));
      },
    }),
  ];
}
