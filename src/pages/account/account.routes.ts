/** Sign-in, sign-out, and the request of a password reset. */
import type { Route } from "../../http/route.ts";
import { signOut } from "../../tenancy/sessions/session.service.ts";
import { signIn } from "../../tenancy/sessions/sign-in.service.ts";
import { limits } from "../../vocabulary/limits.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import { endedSessionCookie, readMarks } from "../visit.ts";
import type { Visit } from "../visit.ts";
import { askForLinkPage, forgottenPasswordPage, linkMailedPage } from "./forgotten-password.page.ts";
import type { AccountRouteDeps } from "./account-deps.ts";
import { linkRoutes } from "./link.routes.ts";
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
    ...linkRoutes(deps),
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
