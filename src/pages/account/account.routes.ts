/** Sign-in, sign-out, and the password links. */
import { z } from "zod";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import type { WholeResponse } from "../../http/http-response.ts";
import { nullableName } from "../../kit/input/name.ts";
import { readInput } from "../../kit/input/read-input.ts";
import { findLink, redeemLink } from "../../tenancy/invitations/account-link.service.ts";
import type { AccountLinkView } from "../../tenancy/invitations/account-link.service.ts";
import { newPassword } from "../../tenancy/passwords/password.schema.ts";
import { signOut } from "../../tenancy/sessions/session.service.ts";
import { signIn } from "../../tenancy/sessions/sign-in.service.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import { endedSessionCookie, readMarks } from "../visit.ts";
import type { Visit } from "../visit.ts";
import { invitationPage, resetPage, spentLinkPage } from "./choose-password.page.ts";
import { askForLinkPage, forgottenPasswordPage, linkMailedPage } from "./forgotten-password.page.ts";
import type { AccountRouteDeps, SignedInDeps } from "./account-deps.ts";
import { secondStepRoutes } from "./second-step.routes.ts";
import { signInPage } from "./sign-in.page.ts";
import { answerStep, readContinue, browserOf } from "./signed-in.ts";

export function accountRoutes(deps: AccountRouteDeps): Route[] {
  const { site } = deps;
  const { shown, sent } = pageRoutes(deps);

  async function show(visit: Visit, status: number, continueTo: string, failed?: { email: string }) {
    const app = await deps.appBehind(continueTo);
    const page = signInPage(site, {
      formToken: visit.formToken,
      app: app?.name,
      continueTo,
      ...(failed && { failed }),
    });
    return pageAnswer(status, page, { isOpened: true, ...(app?.formAction && { formAction: app.formAction }) });
  }

  return [
    shown({
      path: "/sign-in",
      summary: "The sign-in page.",
      async show(visit, { query }) {
        const continueTo = readContinue(query.get("continue"));
        return visit.session === undefined ? show(visit, 200, continueTo) : redirectAnswer(site.path(continueTo));
      },
    }),
    sent({
      path: "/sign-in",
      summary: "Signs a person in.",
      async take(visit, request, fields) {
        const email = typedEmail(fields);
        const password = fields.get("password") ?? "";
        const continueTo = readContinue(fields.get("continue"));
        const browser = deps.browsers.idOf(readMarks(site, request), email);
        const succeeded = await deps.attempts.signIn({ address: request.address, email, browser });
        // Longer input cannot be valid and is not worth hashing.
        const step =
          password.length > limits.password.longest * 2
            ? undefined
            : await signIn(deps, { email, password, ...browserOf(request) });
        if (step === undefined) {
          deps.attempts.failed("password");
          return show(visit, 422, continueTo, { email });
        }
        await succeeded();
        return answerStep(deps, request, { step, visit, email, continueTo });
      },
    }),
    sent({
      path: "/sign-out",
      summary: "Signs a person out, here or on every device.",
      async take({ session }, { address }, fields) {
        const continueTo = readContinue(fields.get("continue"));
        if (session !== undefined) await signOut(deps, session, { everywhere: fields.has("everywhere"), address });
        return redirectAnswer(site.path(continueTo), { "set-cookie": [endedSessionCookie(site)] });
      },
    }),
    ...secondStepRoutes(deps),
    ...forgottenRoutes(deps),
    ...linkRoutes(deps, "invitation", invitationPage),
    ...linkRoutes(deps, "reset", resetPage),
  ];
}

/** Password reset: by mail, or from the operator if there is no mail server. */
function forgottenRoutes({ forgotten, attempts, ...deps }: AccountRouteDeps): Route[] {
  const { site } = deps;
  const { shown, sent } = pageRoutes(deps);
  const path = "/forgotten-password";
  if (forgotten === undefined) {
    const page = async () => pageAnswer(200, askForLinkPage(site), { isOpened: true });
    return [shown({ path, summary: "Explains how to reset a password.", show: page })];
  }
  return [
    shown({
      path,
      summary: "The page to request a password reset link.",
      show: async ({ formToken }) => pageAnswer(200, forgottenPasswordPage(site, { formToken }), { isOpened: true }),
    }),
    sent({
      path,
      summary: "Mails a password reset link if the account exists; the response is the same if not.",
      async take(_visit, request, fields) {
        const email = typedEmail(fields);
        await attempts.link(request.address, email);
        forgotten.mailLink(email);
        return pageAnswer(200, linkMailedPage(site));
      },
    }),
  ];
}

/** NUL is invalid in an address, and in PostgreSQL text. */
function typedEmail(fields: URLSearchParams): string {
  return (fields.get("email") ?? "").replaceAll("\0", " ").trim().slice(0, limits.contact.email);
}

/** The page of a link, and its form. */
function linkRoutes(deps: SignedInDeps, kind: "invitation" | "reset", page: typeof invitationPage): Route[] {
  const { site } = deps;
  const { shown, sent } = pageRoutes(deps);
  const tokenOf = (request: IncomingRequest) => request.parameters["token"] ?? "";
  const answer = (status: number, { formToken }: Visit, request: IncomingRequest, link: AccountLinkView, more = {}) =>
    pageAnswer(status, page(site, { action: site.path(`/${kind}/${tokenOf(request)}`), formToken, link, ...more }));
  const spent = (): WholeResponse => pageAnswer(404, spentLinkPage(site));

  return [
    shown({
      path: `/${kind}/{token}`,
      summary: kind === "invitation" ? "The page of an invitation." : "The page to set a new password.",
      async show(visit, request) {
        const link = await findLink(deps, kind, tokenOf(request));
        return link === undefined ? spent() : answer(200, visit, request, link);
      },
    }),
    sent({
      path: `/${kind}/{token}`,
      summary: kind === "invitation" ? "Accepts an invitation." : "Sets a new password.",
      async take(visit, request, fields) {
        const token = tokenOf(request);
        const link = await findLink(deps, kind, token);
        if (link === undefined) return spent();
        const name = kind === "invitation" ? (fields.get("name") ?? "") : undefined;
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
        if (step === undefined) return spent();
        return answerStep(deps, request, { step, visit, email: link.email, continueTo: "/" });
      },
    }),
  ];
}

/** The name is optional: a known one is kept. */
const choice = z.object({ name: nullableName(), password: newPassword });
