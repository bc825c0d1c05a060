/** The head of a work page: the way back, the title, how many there are, and at most one primary action. */
import { plainName } from "../../kit/input/name.ts";
import { attributes, html, textOf } from "../html.ts";
import type { Html } from "../html.ts";
import { icon } from "../parts/icon.ts";
import type { Site } from "../site.ts";

export interface Head {
  /** Cut with an ellipsis. */
  readonly title: Html | string;
  /** Whether the title is the heading of the page; default: true without `back`. */
  readonly isHeading?: boolean;
  /** The page above: the title is then the name of that page, and the content has the heading. */
  readonly back?: `/${string}`;
  /** Such as `412`. */
  readonly total?: string | undefined;
  /** Links and forms at the end. */
  readonly actions?: Html;
}

export function pageHead(site: Site, { title, back, total, actions, isHeading = back === undefined }: Head): Html {
  return html`<div class="head">
    ${
      back !== undefined &&
      html`<a class="icon-button back" href="${back}" ${attributes`aria-label="Back to ${plainName(textOf(title))}"`}
        >${icon(site, "arrow-left")}</a
      >`
    }
    ${isHeading ? html`<h1>${title}</h1>` : html`<span class="sub">${title}</span>`}
    ${total !== undefined && html`<span class="total">${total}</span>`}
    ${actions !== undefined && html`<div class="end">${actions}</div>`}
  </div>`;
}
