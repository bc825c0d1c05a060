/** 409: a form that works once was submitted again, by a reload or the Back button. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { WorkView } from "../as-person.ts";
import { work } from "../layout/work.ts";
import type { RailPath } from "../layout/rail.ts";
import { empty } from "../parts/lists/empty.ts";

interface SpentForm {
  readonly at: RailPath;
  /** The title of that list. */
  readonly list: string;
  readonly text: string;
}

export function spentFormPage(here: WorkView, { at, list, text }: SpentForm): Html {
  const title = "This form was already sent";
  const back = here.to(at);
  return work(here, {
    title,
    at,
    head: { title: list, back },
    content: empty(here.site, {
      icon: "clock",
      level: "h1",
      title,
      text: `Nothing was done a second time. ${text}`,
      action: html`<a class="button primary" href="${back}">To ${list}</a>`,
    }),
  });
}
