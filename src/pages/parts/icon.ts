/** An icon of the sprite: decoration beside text, never instead of it. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";

/** The icons in the sprite; a test compares. */
export const iconNames = [
  "arrow-left",
  "arrow-right",
  "arrow-up-down",
  "book-open",
  "building-2",
  "check",
  "check-check",
  "chevron-down",
  "chevrons-up-down",
  "circle-alert",
  "circle-check",
  "clock",
  "copy",
  "credit-card",
  "ellipsis",
  "external-link",
  "eye",
  "eye-off",
  "file-json",
  "globe",
  "inbox",
  "info",
  "key-round",
  "link",
  "list",
  "list-todo",
  "lock",
  "log-out",
  "mail",
  "map-pin",
  "menu",
  "message-square",
  "pause",
  "pencil",
  "phone",
  "play",
  "plug-zap",
  "plus",
  "puzzle",
  "rotate-cw",
  "scroll-text",
  "search",
  "send",
  "shield",
  "sliders-horizontal",
  "square-kanban",
  "square-pen",
  "sticky-note",
  "tag",
  "trash-2",
  "triangle-alert",
  "upload",
  "user-cog",
  "user-plus",
  "users",
  "webhook",
  "workflow",
  "x",
  "zap",
] as const;

export type IconName = (typeof iconNames)[number];

export function icon(site: Site, name: IconName, { kind = "" }: { readonly kind?: string } = {}): Html {
  const look = kind === "" ? "icon" : `icon ${kind}`;
  return html`<svg class="${look}" aria-hidden="true"><use href="${`${site.asset("icons.svg")}#${name}`}" /></svg>`;
}
