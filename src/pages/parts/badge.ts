/** A state in a word, with an icon and a color. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";
import { icon } from "./icon.ts";
import type { IconName } from "./icon.ts";

interface Badge {
  readonly kind: "ok" | "warn" | "danger" | "accent" | "plain";
  readonly text: Html | string;
  readonly icon?: IconName;
}

export function badge(site: Site, { kind, text, icon: name }: Badge): Html {
  return html`<span class="badge ${kind}">${name !== undefined && icon(site, name)}${text}</span>`;
}
