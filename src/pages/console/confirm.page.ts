/** The confirmation page of an action: it names the record and the consequences. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { WorkView } from "../as-person.ts";
import { work } from "../layout/work.ts";
import type { RailPath } from "../layout/rail.ts";

interface Confirmation {
  readonly at: RailPath;
  /** The page that it leads back to. */
  readonly above: { readonly title: Html | string; readonly path: `/${string}` };
  /** A question. */
  readonly title: Html;
  readonly text: Html | string;
  /** Further facts about the record. */
  readonly details?: Html;
  /** Where the form is sent. */
  readonly action: `/${string}`;
  /** Fields above the buttons. */
  readonly choices?: Html;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly button: string;
  readonly kind?: "danger" | "primary";
  /** The way out. */
  readonly keep: string;
}

export function confirmPage(
  here: WorkView,
  { at, above, title, text, details, action, hidden = {}, choices, button, kind = "danger", keep }: Confirmation,
): Html {
  const back = here.to(above.path);
  return work(here, {
    title,
    at,
    head: { title: above.title, back },
    content: html`
      <div class="page-head">
        <h1>${title}</h1>
        <p>${text}</p>
      </div>
      ${details}
      <form class="form" method="post" action="${action}">
        <input type="hidden" name="form_token" value="${here.formToken}" />
        ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        ${choices}
        <div class="buttons">
          <button class="button ${kind}">${button}</button>
          <a class="button" href="${back}">${keep}</a>
        </div>
      </form>
    `,
  });
}
