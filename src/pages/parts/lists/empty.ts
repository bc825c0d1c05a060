/** An empty state: what would be here, why it is not, and one way on. */
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { Site } from "../../site.ts";
import { icon } from "../icon.ts";
import type { IconName } from "../icon.ts";

interface Empty {
  readonly icon: IconName;
  readonly title: Html | string;
  readonly text: Html | string;
  readonly action?: Html | false;
  /** Default: h2. */
  readonly level?: "h1" | "h2" | "h3";
}

export function empty(site: Site, { icon: name, title, text, action = false, level = "h2" }: Empty): Html {
  return html`<div class="empty">
    ${icon(site, name)} ${headingOf(level, title)}
    <p>${text}</p>
    ${action}
  </div>`;
}

function headingOf(level: "h1" | "h2" | "h3", title: Html | string): Html {
  if (level === "h1") return html`<h1>${title}</h1>`;
  return level === "h2" ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`;
}
