/** The logo: an open ring with a dot, a c and a person. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";
import type { Site } from "../site.ts";

export function mark(): Html {
  return html`<svg class="mark" viewBox="0 0 28 28" aria-hidden="true">
    <rect width="28" height="28" rx="8" stroke="none" />
    <path d="M18.6 9.4a6.5 6.5 0 1 0 0 9.2" fill="none" stroke-width="2.6" stroke-linecap="round" />
    <circle class="dot" cx="14" cy="14" r="2.2" />
  </svg>`;
}

export function brand(site: Site): Html {
  return html`<a class="brand" href="${site.path("/")}">${mark()} crm</a>`;
}
