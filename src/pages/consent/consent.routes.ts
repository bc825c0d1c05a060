/**
 * /oauth/authorize: validates the request, lets the person sign in and decide, and redirects to the app with the
 * result.
 */
import type { WholeResponse } from "../../http/http-response.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import { toId } from "../../kit/input/id.ts";
import { requireBillable } from "../../marketplace/apps/app.billing.ts";
import { answerConsent } from "../../marketplace/installs/answer-consent.service.ts";
import {
  readAuthorizationRequest,
  toAuthorizePath,
  toRedirect,
} from "../../marketplace/oauth/authorization-request.ts";
import type { AuthorizationRequest } from "../../marketplace/oauth/authorization-request.ts";
import type { Client } from "../../marketplace/oauth/client.queries.ts";
import { findGivers, findGrantableLocations } from "../../marketplace/installs/consent.queries.ts";
import type { GrantableLocation } from "../../marketplace/installs/consent.queries.ts";
import { askConsent, findHeldRequest } from "../../marketplace/installs/consent.service.ts";
import { OauthError, Untrusted } from "../../marketplace/oauth/oauth-error.ts";
import { issuerOf } from "../../marketplace/oauth/oauth.routes.ts";
import type { Session } from "../../tenancy/sessions/session.service.ts";
import { findWithheldWorkspaces } from "../../tenancy/two-factor/second-factor.queries.ts";
import { troublePage } from "../account/failure.page.ts";
import { withContinue } from "../account/signed-in.ts";
import { html } from "../html.ts";
import { isolatedName } from "../parts/name.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import type { PageRouteDeps } from "../page.route.ts";
import type { Site } from "../site.ts";
import type { Visit } from "../visit.ts";
import { askSomebodyPage, consentPage } from "./consent.page.ts";
import type { Payment } from "./consent.page.ts";
import { leadToCheckout } from "./checkout-step.ts";
import type { CheckoutDeps } from "./checkout-step.ts";
import { formActionOf } from "./form-action.ts";

type ConsentRouteDeps = PageRouteDeps & CheckoutDeps;

export function consentRoutes(deps: ConsentRouteDeps): Route[] {
  const { site, database, clock, links } = deps;
  const { shown, sent } = pageRoutes(deps);
  const issuer = issuerOf(links);

  /** The consent page of `held` for `session`; looks up what it shows. */
  async function ask(
    { formToken }: Visit,
    session: Session,
    held: AuthorizationRequest & { readonly id: number },
    { status = 200, fault }: { status?: number; fault?: string } = {},
  ): Promise<WholeResponse> {
    const { client } = held;
    const { locations, askIn } = await findGrantableLocations(database, session.userId, client);
    const asked = {
      formToken,
      requestId: held.id,
      app: client,
      goesTo: new URL(held.redirectUri).host,
      person: session,
      continueTo: toAuthorizePath(held),
    };
    const options = { formAction: formActionOf(held.redirectUri, client, deps.stripe), isOpened: true };
    if (locations.length === 0) {
      const withheld = await findWithheldWorkspaces(database, session.userId);
      if (withheld.length > 0) return redirectAnswer(withContinue(site, "/me/two-factor", asked.continueTo));
      const whom = askIn[0] === undefined ? null : await findGivers(database, askIn[0]);
      return pageAnswer(403, askSomebodyPage(site, asked, whom), options);
    }
    const workspaces = new Set(locations.map(({ workspaceId }) => workspaceId));
    const isOne = workspaces.size === 1;
    const page = consentPage(site, {
      ...asked,
      scopes: held.scopes,
      payment: paymentOf(client, locations, isOne),
      workspace: isOne ? locations[0]!.workspace : null,
      locations: locations.map((location) => toChoice(location, isOne)),
      fault,
    });
    return pageAnswer(status, page, options);
  }

  return [
    shown({
      path: "/oauth/authorize",
      summary: "Asks a person whether an app may work in a location of theirs.",
      writes: true,
      async show(visit, request) {
        let asked: AuthorizationRequest;
        try {
          const judged = await readAuthorizationRequest(database, request.query);
          if ("error" in judged) return redirectAnswer(toRedirect(judged, issuer, judged));
          asked = judged;
          requireBillable(asked.client, deps.stripe !== null);
        } catch (error) {
          if (!(error instanceof Untrusted)) throw error;
          return untrusted(site, request, error);
        }
        const { session } = visit;
        const id = session && (await askConsent(deps, session, asked));
        if (session === undefined || id === undefined) {
          const continueTo = encodeURIComponent(toAuthorizePath(asked));
          return redirectAnswer(`${site.path("/sign-in")}?continue=${continueTo}`);
        }
        return ask(visit, session, { ...asked, id });
      },
    }),
    sent({
      path: "/oauth/authorize",
      summary: "Takes the answer of a person to what an app asked for.",
      async take(visit, request, fields) {
        const { session } = visit;
        const id = toId(fields.get("request"));
        const held =
          session === undefined || id === undefined
            ? undefined
            : await findHeldRequest(database, session, id, clock.now());
        if (session === undefined || held === undefined) return answered(site);

        try {
          const isAllowed = fields.get("answer") === "allow";
          const locationId = toId(fields.get("location_id"));
          const led = await answerConsent(deps, {
            session,
            address: request.address,
            held,
            isAllowed,
            locationId,
          });
          if (led === undefined) return answered(site);
          if (typeof led === "string") return redirectAnswer(led);
          if ("payment" in led) return await leadToCheckout(deps, visit, session, { ...led, app: held.appName });
          const fault = "Choose a location.";
          return await ask(visit, session, { ...held, client: led }, { status: 422, fault });
        } catch (error) {
          if (error instanceof Untrusted) return untrusted(site, request, error);
          if (error instanceof OauthError) return redirectAnswer(toRedirect(held, issuer, { error }));
          throw error;
        }
      },
    }),
  ];
}

function paymentOf(
  { paymentPageUrl, price, installType }: Client,
  locations: readonly GrantableLocation[],
  isOneWorkspace: boolean,
): Payment | null {
  const isCompany = installType === "company";
  const known = isCompany
    ? isOneWorkspace
      ? locations[0]!.workspace
      : null
    : locations.length === 1
      ? locations[0]!.name
      : null;
  if (price !== null) return { price, payerName: known, payer: installType };
  return paymentPageUrl === null ? null : { host: new URL(paymentPageUrl).host, payer: installType };
}

function toChoice({ address, workspace, ...location }: GrantableLocation, isOne: boolean) {
  return {
    id: location.id,
    name: location.name,
    more: [isOne ? "" : workspace, address].filter((part) => part !== ""),
  };
}

function untrusted(site: Site, request: IncomingRequest, { message, app }: Untrusted): WholeResponse {
  const text =
    message === "redirect_uri is not registered"
      ? "The app asked us to send you back to an address that it has not registered. To keep you safe, we stopped here. Nothing was shared."
      : "The app sent you here with a link that we cannot trust. To keep you safe, we stopped here. Nothing was shared.";
  const page = troublePage(site, {
    sign: "link",
    title: "This link does not work",
    text,
    more: "Go back to the app and try again. If it happens again, send its makers the lines below.",
    facts: [
      ["Reason", message],
      ["App", app === null ? "not known" : isolatedName(app)],
      ["Request", html`<code>${request.id}</code>`],
    ],
  });
  return pageAnswer(400, page, { isOpened: true });
}

/** For a request that is answered, expired, or of another session. */
function answered(site: Site): WholeResponse {
  const page = troublePage(site, {
    sign: "clock",
    title: "This request is closed",
    text: "It was already answered, or it was open for too long. Nothing was shared.",
    more: "Go back to the app and start again.",
  });
  return pageAnswer(400, page, { isOpened: true });
}
