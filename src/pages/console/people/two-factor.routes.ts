/** Whether the workspace requires two-factor sign-in: asked, and changed. */
import type { Route } from "../../../http/route.ts";
import { isTwoFactorRequired } from "../../../tenancy/two-factor/second-factor.queries.ts";
import { requireTwoFactor } from "../../../tenancy/workspaces/workspace.operations.ts";
import { html } from "../../html.ts";
import { isolatedName } from "../../parts/name.ts";
import { workRoutes } from "../../work.route.ts";
import { answerResult } from "../answer-form.ts";
import { confirmedAction } from "../confirmed-action.ts";
import { confirmPage } from "../confirm.page.ts";
import type { ConsoleDeps } from "../console-deps.ts";
import { submit } from "../forms.ts";

const path = "/two-factor";

export function requiredFactorRoutes(deps: ConsoleDeps): Route[] {
  return [
    ...confirmedAction(workRoutes(deps).inWorkspace, {
      path,
      summary: "Requires two-factor sign-in in the workspace, or no longer.",
      may: requireTwoFactor,
      find: (here) => isTwoFactorRequired(deps.database, here.workplace.id),
      ask(here, isRequired) {
        const name = isolatedName(here.workplace.name);
        return confirmPage(here, {
          at: "/people",
          above: { title: "People", path: "/people" },
          title: isRequired
            ? html`Make two-factor sign-in optional in ${name}?`
            : html`Require two-factor sign-in in ${name}?`,
          text: isRequired
            ? "People can turn it off, and new ones need not set it up."
            : "People without it are asked to set it up at their next step here, and see nothing of the workspace before. API keys and apps are unaffected.",
          action: here.to(path),
          hidden: { required: String(!isRequired) },
          button: isRequired ? "Make it optional" : "Require it",
          kind: isRequired ? "danger" : "primary",
          keep: isRequired ? "Keep it required" : "Keep it optional",
        });
      },
      async take(here, _isRequired, fields) {
        const required = fields.get("required") === "true";
        const result = await submit(requireTwoFactor, here.caller, { input: { required } }, deps.operating);
        return answerResult(deps, here, result, "/people", {
          kind: "ok",
          title: [required ? "Two-factor sign-in is required" : "Two-factor sign-in is optional"],
          text: [required ? "People without it set it up at their next step." : "People decide for themselves."],
        });
      },
    }),
  ];
}
