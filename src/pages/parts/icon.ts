/** An icon of the sprite: decoration beside text, never instead of it. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";

/** The icons in the sprite; a test compares. */
export const iconNames = [
  "arrow-right",
  "building-2",
  "chevron-down",
  "circle-alert",
  "circle-check",
  "clock",
  "eye",
  "eye-off",
  "info",
  "key-round",
  "link",
  "lock",
  "log-out",
  "map-pin",
  "pencil",
  "puzzle",
  "shield",
  "trash-2",
  "triangle-alert",
  "users",
] as const;

export type IconName = (typeof iconNames)[number];

export function icon(site: Site, name: IconName, { kind = "" }: { readonly kind?: string } = {}): Html {
  return html`<svg class="icon ${kind}" aria-hidden="true">
    <use href="${`${site.asset("icons.svg")}#${name}`}" />
  </svg>`;
}
