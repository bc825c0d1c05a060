/** The pages of one-time links: an invitation is joined with a new password, or signed in; a reset sets a password. */
import { z } from "zod";
import type { WholeResponse } from "../../http/http-response.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import { nullableName } from "../../kit/input/name.ts";
import { readInput } from "../../kit/input/read-input.ts";
import { findLink } from "../../tenancy/invitations/account-link.service.ts";
import type { AccountLinkView } from "../../tenancy/invitations/account-link.service.ts";
import { acceptInvitation, redeemLink } from "../../tenancy/invitations/redeem-link.service.ts";
import { newPassword } from "../../tenancy/passwords/password.schema.ts";
import { keepNotice } from "../../tenancy/sessions/session.service.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { articleOf } from "../../vocabulary/states.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import type { Visit } from "../visit.ts";
import { acceptPage, invitationPage, resetPage, spentLinkPage } from "./choose-password.page.ts";
import type { SignedInDeps } from "./account-deps.ts";
import { answerStep, browserOf, wayOn } from "./signed-in.ts";

export function linkRoutes(deps: SignedInDeps): Route[] {
  return [...routesOf(deps, "invitation"), ...routesOf(deps, "reset")];
}

function routesOf(deps: SignedInDeps, kind: "invitation" | "reset"): Route[] {
  const { site } = deps;
  const { shown, sent } = pageRoutes(deps);
  const isInvitation = kind === "invitation";
  const tokenOf = (request: IncomingRequest) => request.parameters["token"] ?? "";
  const pathOf = (request: IncomingRequest) => `/${kind}/${tokenOf(request)}` as const;
  const spent = (): WholeResponse => pageAnswer(404, spentLinkPage(site));
  /** The link was used meanwhile, or waits for its person to sign in. */
  const showAgain = (request: IncomingRequest) => redirectAnswer(site.path(pathOf(request)));

  function answer(status: number, visit: Visit, request: IncomingRequest, link: AccountLinkView, more = {}) {
    const { formToken } = visit;
    const given = { action: site.path(pathOf(request)), formToken, link };
    if (!isInvitation) return pageAnswer(status, resetPage(site, { ...given, ...more }));
    if (!link.hasPassword) return pageAnswer(status, invitationPage(site, { ...given, ...more }));
    return pageAnswer(status, acceptPage(site, { ...given, path: pathOf(request), signedIn: visit.session }));
  }

  async function accept({ session }: Visit, request: IncomingRequest, { workspace, role }: AccountLinkView) {
    const given = { token: tokenOf(request), address: request.address };
    if (session === undefined || !(await acceptInvitation(deps, session, given))) return showAgain(request);
    const title = ["You have joined ", { name: workspace ?? "" }];
    const text = [`You are ${articleOf[role ?? "member"]} ${role ?? "member"} there.`];
    await keepNotice(deps, session, { kind: "ok", title, text });
    return redirectAnswer(await wayOn(deps, session, "/"));
  }

  return [
    shown({
      path: `/${kind}/{token}`,
      summary: isInvitation ? "The page of an invitation." : "The page to set a new password.",
      async show(visit, request) {
        const link = await findLink(deps, kind, tokenOf(request));
        return link === undefined ? spent() : answer(200, visit, request, link);
      },
    }),
    sent({
      path: `/${kind}/{token}`,
      summary: isInvitation ? "Accepts an invitation." : "Sets a new password.",
      async take(visit, request, fields) {
        const token = tokenOf(request);
        const link = await findLink(deps, kind, token);
        if (link === undefined) return spent();
        if (isInvitation && link.hasPassword) return accept(visit, request, link);
        const name = isInvitation ? (fields.get("name") ?? "") : undefined;
        const password = fields.get("password") ?? "";
        try {
          readInput(choice, { name: name ?? link.name, password });
        } catch (error) {
          if (!(error instanceof Invalid)) throw error;
          const faults = { name: error.errors["name"]?.[0], password: error.errors["password"]?.[0] };
          return answer(422, visit, request, link, { name, faults });
        }
        const given = { token, password, name: name?.trim() || undefined, ...browserOf(request) };
        const step = await redeemLink(deps, kind, given);
        if (step === undefined) return showAgain(request);
        return answerStep(deps, request, { step, visit, email: link.email, continueTo: "/" });
      },
    }),
  ];
}

/** The name is optional: a known one is kept. */
const choice = z.object({ name: nullableName(), password: newPassword });
