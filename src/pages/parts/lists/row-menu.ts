/** The menu of a row: links to pages that act on it. */
import { plainName } from "../../../kit/input/name.ts";
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { Site } from "../../site.ts";
import { icon } from "../icon.ts";
import type { IconName } from "../icon.ts";

interface RowMenu {
  /** Unique on the page, of the record: `key-7`. */
  readonly id: string;
  /** The name of the record. */
  readonly name: string;
  readonly links: readonly { readonly href: `/${string}`; readonly text: string; readonly icon?: IconName }[];
}

export function rowMenu(site: Site, { id, name, links }: RowMenu): Html | false {
  if (links.length === 0) return false;
  return html`<button
      type="button"
      class="icon-button"
      popovertarget="menu-${id}"
      aria-label="Actions for ${plainName(name)}"
    >
      ${icon(site, "ellipsis")}
    </button>
    <div id="menu-${id}" class="menu" popover>
      ${links.map(({ href, text, icon: sign }) => html`<a href="${href}">${sign !== undefined && icon(site, sign)} ${text}</a>`)}
    </div>`;
}
