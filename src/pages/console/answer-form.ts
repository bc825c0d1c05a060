/** The response to a form without a page of its own: 303 to a page of the same workspace, with a notice. */
import type { WholeResponse } from "../../http/http-response.ts";
import { keepNotice } from "../../tenancy/sessions/session.service.ts";
import type { SessionDeps, SessionNotice } from "../../tenancy/sessions/session.service.ts";
import type { WorkView } from "../as-person.ts";
import { redirectAnswer } from "../page-answer.ts";
import type { FormResult } from "./forms.ts";

export async function answerWithNotice(
  deps: SessionDeps,
  here: WorkView,
  path: `/${string}`,
  notice: SessionNotice,
): Promise<WholeResponse> {
  await keepNotice(deps, here.person, notice);
  return redirectAnswer(here.to(path));
}

/** The same for a result: refused input becomes a notice with its first sentence. */
export async function answerResult(
  deps: SessionDeps,
  here: WorkView,
  result: FormResult<unknown>,
  path: `/${string}`,
  notice?: SessionNotice,
): Promise<WholeResponse> {
  if (!("faults" in result))
    return notice === undefined ? redirectAnswer(here.to(path)) : answerWithNotice(deps, here, path, notice);
  const [sentence = ""] = Object.values(result.faults);
  return answerWithNotice(deps, here, path, { kind: "danger", title: ["Nothing was changed"], text: [sentence] });
}
