/** What makes a page live: the address of its stream, the record that it shows, and a notice for a form in use. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { WorkView } from "../as-person.ts";
import { notice } from "./notice.ts";

/** Elements with an id and `data-live` are replaced when the record changes. */
export interface LiveWatch {
  readonly noun: "hook" | "run" | "workflow";
  readonly id: number;
}

export function livePage(here: WorkView, { noun, id }: LiveWatch): Html {
  return html`<live-page data-stream="${here.to("/live")}" data-watch="${noun} ${id}">
    <div hidden>
      ${notice(here.site, {
        kind: "info",
        title: "This page has changed",
        text: "Load it again to see the change. What you typed is lost then.",
      })}
    </div>
  </live-page>`;
}
