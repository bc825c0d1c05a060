/**
 * /oauth/installs/{token}: the return URL of a payment. Redirects the user who consented to the app with a code,
 * once.
 */
import type { WholeResponse } from "../../http/http-response.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import { readCheckout } from "../../marketplace/billing/platform/checkout.service.ts";
import { voidSubscription } from "../../marketplace/billing/platform/void.service.ts";
import { finishInstall, prepareCheckout } from "../../marketplace/installs/answer-consent.service.ts";
import { findPendingInstall, pendingInstallPath } from "../../marketplace/installs/pending-install.service.ts";
import type { PendingInstall } from "../../marketplace/installs/pending-install.service.ts";
import { findClientOf } from "../../marketplace/oauth/client.queries.ts";
import type { Client } from "../../marketplace/oauth/client.queries.ts";
import { OauthError, Untrusted } from "../../marketplace/oauth/oauth-error.ts";
import type { Session } from "../../tenancy/sessions/session.service.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import type { PageRouteDeps } from "../page.route.ts";
import type { Visit } from "../visit.ts";
import { leadToCheckout, platformDepsOf } from "./checkout-step.ts";
import type { CheckoutDeps } from "./checkout-step.ts";
import {
  foreignReturnPage,
  lostInstallPage,
  refundedInstallPage,
  spentReturnPage,
  unpaidInstallPage,
} from "./return.page.ts";
import type { UnpaidInstall } from "./return.page.ts";

type ReturnDeps = PageRouteDeps & CheckoutDeps;

/** A pending install that the signed-in user can complete. */
interface WaitingInstall {
  readonly pending: PendingInstall;
  readonly client: Client;
  readonly session: Session;
  /** The IP address of the browser. */
  readonly address: string;
  readonly path: `/${string}`;
}

export function returnRoutes(deps: ReturnDeps): Route[] {
  const { site, database, clock, stripe } = deps;
  const { shown, sent } = pageRoutes(deps);
  const spent = () => pageAnswer(400, spentReturnPage(site), { isOpened: true });
  const lost = (client: Client) => pageAnswer(403, lostInstallPage(site, client.name), { isOpened: true });

  /** The pending install of the path, or the response if the session cannot complete it. */
  async function findWaiting(
    { session, formToken }: Visit,
    request: IncomingRequest,
  ): Promise<WaitingInstall | WholeResponse> {
    const token = request.parameters["token"] ?? "";
    const pending = await findPendingInstall(database, token, clock.now());
    const client = pending && (await findClientOf(database, pending.appId));
    if (pending === undefined || client === undefined) return spent();
    const path = pendingInstallPath(token);
    if (session === undefined) return redirectAnswer(`${site.path("/sign-in")}?continue=${encodeURIComponent(path)}`);
    if (session.userId !== pending.userId) {
      const page = foreignReturnPage(site, { formToken, app: client.name, person: session, continueTo: path });
      return pageAnswer(403, page, { isOpened: true });
    }
    return { pending, client, session, address: request.address, path };
  }

  const unpaid = (
    status: number,
    { client, path }: WaitingInstall,
    { formToken }: Visit,
    fault: UnpaidInstall["fault"],
  ): WholeResponse =>
    pageAnswer(status, unpaidInstallPage(site, { formToken, app: client.name, path: site.path(path), fault }), {
      isOpened: true,
      formAction: stripe?.pageSources ?? "https:",
    });

  async function finish({ pending, client, session, address }: WaitingInstall): Promise<WholeResponse> {
    try {
      const next = await finishInstall(deps, { pending, session, address });
      return next === undefined ? spent() : redirectAnswer(next);
    } catch (error) {
      if (!(error instanceof Untrusted) && !(error instanceof OauthError)) throw error;
      if (client.price === null) return lost(client);
      const { appId, locationId } = pending;
      await database.transaction((change) => voidSubscription(change, { appId, locationId }, clock.now()));
      return pageAnswer(403, refundedInstallPage(site, client.name), { isOpened: true });
    }
  }

  return [
    shown({
      path: "/oauth/installs/{token}",
      summary: "Finishes an install after its payment.",
      writes: true,
      async show(visit, request) {
        const waiting = await findWaiting(visit, request);
        if ("status" in waiting) return waiting;
        if (waiting.client.price === null) return finish(waiting);
        try {
          // The state is read from Stripe: the parameters of the URL are untrusted.
          const { paid } = await readCheckout(platformDepsOf(deps), waiting.pending);
          return paid ? await finish(waiting) : unpaid(200, waiting, visit, "left");
        } catch (error) {
          if (!(error instanceof Refusal) || error.code !== "processor_unavailable") throw error;
          return unpaid(503, waiting, visit, "unreachable");
        }
      },
    }),
    sent({
      path: "/oauth/installs/{token}",
      summary: "Resumes an unfinished checkout.",
      async take(visit, request) {
        const waiting = await findWaiting(visit, request);
        if ("status" in waiting) return waiting;
        const { pending, client, session, path } = waiting;
        if (client.price === null) return redirectAnswer(site.path(path));
        try {
          // An expired checkout is replaced by a new one.
          await readCheckout(platformDepsOf(deps), pending);
        } catch (error) {
          if (!(error instanceof Refusal) || error.code !== "processor_unavailable") throw error;
          return unpaid(503, waiting, visit, "unreachable");
        }
        const state = await prepareCheckout(deps, { pending, session });
        if (state === "lost") return lost(client);
        if (state === "paid") return finish(waiting);
        const payment = { id: pending.id, appId: pending.appId };
        return leadToCheckout(deps, visit, session, { payment, path, app: client.name });
      },
    }),
  ];
}
