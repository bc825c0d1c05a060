/** Sign-in, sign-out, and the password links. */
import { z } from "zod";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import type { WholeAnswer } from "../../http/answer.ts";
import { nullableName } from "../../kit/input/name.ts";
import { readInput } from "../../kit/input/read-input.ts";
import type { ForgottenPasswords } from "../../tenancy/invitations/forgotten-password.ts";
import { findLink, redeemLink } from "../../tenancy/invitations/account-link.service.ts";
import type { AccountLinkKind, AccountLinkView } from "../../tenancy/invitations/account-link.service.ts";
import { newPassword } from "../../tenancy/passwords/password.schema.ts";
import { endSession, endSessionsOf, signIn } from "../../tenancy/sessions/session.service.ts";
import type { BeginSignIn, SpendAttempt } from "../../tenancy/sessions/attempts.ts";
import type { KnownBrowsers } from "../../tenancy/sessions/known-browser.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import type { PageRouteDeps } from "../page.route.ts";
import { endedSessionCookie, marksCookie, readMarks, sessionCookie } from "../visit.ts";
import type { Visit } from "../visit.ts";
import { invitationPage, resetPage, spentLinkPage } from "./choose-password.page.ts";
import { askForLinkPage, forgottenPasswordPage, linkMailedPage } from "./forgotten-password.page.ts";
import { signInPage } from "./sign-in.page.ts";

/** Rate limits of attempts. */
export interface Attempts {
  readonly signIn: BeginSignIn;
  readonly link: SpendAttempt;
}

interface LinkRouteDeps extends PageRouteDeps {
  readonly browsers: KnownBrowsers;
}

interface AccountRouteDeps extends LinkRouteDeps {
  readonly attempts: Attempts;
  /** Without it, links are created in the terminal. */
  readonly forgotten: ForgottenPasswords | undefined;
  /** The app that a local URL, started by the app, continues to, and the form's redirect target if it is external. */
  readonly appBehind: (path: string) => Promise<{ readonly name: string; readonly formAction?: string } | undefined>;
}

export function accountRoutes(deps: AccountRouteDeps): Route[] {
  const { site, database } = deps;
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
        const token =
          password.length > limits.password.longest * 2 ? undefined : await signIn(deps, { email, password });
        if (token === undefined) return show(visit, 422, continueTo, { email });
        if (visit.session !== undefined) await endSession(deps, visit.session);
        await succeeded();
        return redirectAnswer(site.path(continueTo), { "set-cookie": signedInCookies(deps, request, email, token) });
      },
    }),
    sent({
      path: "/sign-out",
      summary: "Signs a person out, here or on every device.",
      async take({ session }, _request, fields) {
        const continueTo = readContinue(fields.get("continue"));
        if (session !== undefined && fields.has("everywhere")) {
          await database.transaction((change) => endSessionsOf(change, session.userId));
        } else if (session !== undefined) await endSession(deps, session);
        return redirectAnswer(site.path(continueTo), { "set-cookie": [endedSessionCookie(site)] });
      },
    }),
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
function linkRoutes(deps: LinkRouteDeps, kind: AccountLinkKind, page: typeof invitationPage): Route[] {
  const { site } = deps;
  const { shown, sent } = pageRoutes(deps);
  const tokenOf = (request: IncomingRequest) => request.parameters["token"] ?? "";
  const answer = (status: number, { formToken }: Visit, request: IncomingRequest, link: AccountLinkView, more = {}) =>
    pageAnswer(status, page(site, { action: site.path(`/${kind}/${tokenOf(request)}`), formToken, link, ...more }));
  const spent = (): WholeAnswer => pageAnswer(404, spentLinkPage(site));

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
        const session = await redeemLink(deps, kind, { token, password, name: name?.trim() || undefined });
        if (session === undefined) return spent();
        const cookies = signedInCookies(deps, request, link.email, session);
        return redirectAnswer(site.path("/"), { "set-cookie": cookies });
      },
    }),
  ];
}

/** Signs the browser in and marks it as known to the account. */
function signedInCookies({ site, browsers }: LinkRouteDeps, request: IncomingRequest, email: string, token: string) {
  return [sessionCookie(site, token), marksCookie(site, browsers.mark(readMarks(site, request), email))];
}

/** The name is optional: a known one is kept. */
const choice = z.object({ name: nullableName(), password: newPassword });

/**
 * The redirect target after sign-in: an app's authorization request, a paid install, or the start page. No other target
 * is allowed.
 */
function readContinue(path: string | null): `/${string}` {
  const isKnown = path !== null && /^\/oauth\/(authorize\?[!-~]*|installs\/\w+)$/.test(path) && !path.includes("\\");
  return isKnown ? (path as `/${string}`) : "/";
}
