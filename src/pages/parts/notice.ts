/** A notice: a bold line and a sentence. A danger is announced immediately by screen readers, the others politely. */
import { attributes, html } from "../html.ts";
import type { Html } from "../html.ts";
import type { NoticeText, SessionNotice } from "../../tenancy/sessions/session.service.ts";
import type { Site } from "../site.ts";
import { icon } from "./icon.ts";
import type { IconName } from "./icon.ts";
import { isolatedName } from "./name.ts";

interface Notice {
  readonly kind: keyof typeof icons;
  readonly title: Html | string;
  readonly text: Html | string;
}

const icons = {
  info: "info",
  ok: "circle-check",
  warn: "triangle-alert",
  danger: "circle-alert",
} as const satisfies Record<string, IconName>;

export function notice(site: Site, { kind, title, text }: Notice): Html {
  const role = kind === "danger" ? attributes`role="alert"` : attributes`role="status"`;
  return html`<div class="notice ${kind}" ${role}>
    ${icon(site, icons[kind])}
    <div><strong>${title}</strong> ${text}</div>
  </div>`;
}

/** The flash message of a session. False for one in the form of an older version. */
export function keptNotice(site: Site, { kind, title, text }: Partial<SessionNotice>): Html | false {
  if (kind === undefined || title === undefined || text === undefined) return false;
  return notice(site, { kind, title: toHtml(title), text: toHtml(text) });
}

function toHtml(text: NoticeText): Html {
  return html`${text.map((part) => (typeof part === "string" ? part : isolatedName(part.name)))}`;
}
