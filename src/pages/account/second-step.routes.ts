/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
import type { WholeResponse } from "../../http/http-response.ts";
import type { Route } from "../../http/route.ts";
import { findPendingSignIn, finishSignIn } from "../../tenancy/sessions/sign-in.service.ts";
import { pageAnswer, redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import { readMarks, readPending } from "../visit.ts";
import type { Visit } from "../visit.ts";
import type { AccountRouteDeps } from "./account-deps.ts";
import { secondStepPage } from "./second-step.page.ts";
import { answerStep, readContinue, browserOf, withContinue } from "./signed-in.ts";

export function secondStepRoutes(deps: AccountRouteDeps): Route[] {
  const { site, browsers } = deps;
  const { shown, sent } = pageRoutes(deps);
  const path = "/sign-in/code";

  async function answer(
    { formToken }: Visit,
    continueTo: string,
    { status, isWrong }: { readonly status: number; readonly isWrong: boolean },
  ): Promise<WholeResponse> {
    const app = await deps.appBehind(continueTo);
    const page = secondStepPage(site, { formToken, continueTo, app: app?.name, isWrong });
    return pageAnswer(status, page, { isOpened: true, ...(app?.formAction && { formAction: app.formAction }) });
  }

  return [
    shown({
      path,
      summary: "The page that asks for the second factor.",
      async show(visit, request) {
        const continueTo = readContinue(request.query.get("continue"));
        const pending = await findPendingSignIn(deps, readPending(site, request));
        if (pending === undefined) return redirectAnswer(withContinue(site, "/sign-in", continueTo));
        return answer(visit, continueTo, { status: 200, isWrong: false });
      },
    }),
    sent({
      path,
      summary: "Finishes a sign-in with the second factor.",
      async take(visit, request, fields) {
        const continueTo = readContinue(fields.get("continue"));
        const pending = await findPendingSignIn(deps, readPending(site, request));
        if (pending === undefined) return redirectAnswer(withContinue(site, "/sign-in", continueTo));
        const { userId, name, email } = pending;
        const browser = browsers.idOf(readMarks(site, request), email);
        const succeeded = await deps.attempts.code({ userId, browser });
        const finished = await finishSignIn(deps, pending, {
          code: fields.get("code") ?? "",
          ...browserOf(request),
        });
        if (finished === undefined) {
          deps.attempts.failed("code");
          return answer(visit, continueTo, { status: 422, isWrong: true });
        }
        await succeeded();
        if (finished.isRecovered) deps.mailSecondFactor("recovered", { name, email });
        return answerStep(deps, request, { step: finished, visit, email, continueTo });
      },
    }),
  ];
}
