/** The response to a form whose result is a secret: the page that shows it once, or 409 for a repetition. */
import type { WholeResponse } from "../../http/http-response.ts";
import type { WorkView } from "../as-person.ts";
import type { Html } from "../html.ts";
import type { RailPath } from "../layout/rail.ts";
import { pageAnswer } from "../page-answer.ts";
import type { FieldFaults } from "../parts/forms/faults.ts";
import type { FormResult } from "./forms.ts";
import { spentFormPage } from "./spent-form.page.ts";

/** A kind of secret: where its records are listed, and what to do if it was not copied. */
export interface SecretKind<Body> {
  readonly at: RailPath;
  readonly list: string;
  readonly lost: string;
  readonly page: (here: WorkView, body: Body) => Html;
}

/** `result`: of submitOnce. */
export async function answerSecret<Body>(
  here: WorkView,
  { at, list, lost, page }: SecretKind<Body>,
  result: FormResult<Body> | undefined,
  refused: (faults: FieldFaults) => WholeResponse | Promise<WholeResponse>,
): Promise<WholeResponse> {
  if (result === undefined) return pageAnswer(409, spentFormPage(here, { at, list, text: lost }));
  return "faults" in result ? refused(result.faults) : pageAnswer(200, page(here, result.body), { showsSecret: true });
}
