/** The page of the setup link, by which the first owner gets in. */
import type { CallAs } from "../../events/call-as.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import { readInput } from "../../kit/input/read-input.ts";
import { setupForm } from "../../tenancy/invitations/setup-link.schema.ts";
import { findSetupLink, placeholderEmail, redeemSetupLink } from "../../tenancy/invitations/setup-link.service.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { pageAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import type { SignedInDeps } from "./account-deps.ts";
import { spentLinkPage } from "./choose-password.page.ts";
import { setupPage } from "./setup.page.ts";
import { answerStep, browserOf } from "./signed-in.ts";

interface SetupRouteDeps extends SignedInDeps {
  readonly callAs: CallAs;
}

export function setupRoutes(deps: SetupRouteDeps): Route[] {
  const { site } = deps;
  const { shown, sent } = pageRoutes(deps);
  const tokenOf = (request: IncomingRequest) => request.parameters["token"] ?? "";
  const actionOf = (request: IncomingRequest) => site.path(`/setup/${tokenOf(request)}`);
  const spent = () => pageAnswer(404, spentLinkPage(site));

  return [
    shown({
      path: "/setup/{token}",
      summary: "The page that finishes the setup of a new service.",
      async show({ formToken }, request) {
        const link = await findSetupLink(deps, tokenOf(request));
        if (link === undefined) return spent();
        const { workspace, location, timezone, country } = link;
        const email = link.email === placeholderEmail ? "" : link.email;
        const name = link.name === link.email ? "" : link.name;
        const given = { email, name, workspace, location, timezone, country };
        return pageAnswer(200, setupPage(site, { action: actionOf(request), formToken, given }));
      },
    }),
    sent({
      path: "/setup/{token}",
      summary: "Finishes the setup: the owner's account, the workspace and its location.",
      async take(visit, request, fields) {
        const link = await findSetupLink(deps, tokenOf(request));
        if (link === undefined) return spent();
        const valueOf = (name: string) => fields.get(name) ?? "";
        const given = {
          email: valueOf("email"),
          name: valueOf("name"),
          workspace: valueOf("workspace"),
          location: valueOf("location"),
          timezone: valueOf("timezone"),
          country: valueOf("country"),
        };
        try {
          const form = readInput(setupForm, { ...given, password: valueOf("password") });
          const session = await redeemSetupLink(deps, link, tokenOf(request), {
            ...form,
            ...browserOf(request),
          });
          if (session === undefined) return spent();
          return await answerStep(deps, request, { step: { session }, visit, email: form.email, continueTo: "/" });
        } catch (error) {
          if (!(error instanceof Invalid)) throw error;
          const page = setupPage(site, {
            action: actionOf(request),
            formToken: visit.formToken,
            given,
            faults: error.errors,
          });
          return pageAnswer(422, page);
        }
      },
    }),
  ];
}
