/** Times of one's account, in UTC: an account belongs to no location. */
import { html } from "../html.ts";
import type { Html } from "../html.ts";

// Cached: creating a formatter costs more than a page.
const hour = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

export function timeElement(timestamp: string): Html {
  return html`<time datetime="${timestamp}">${hour.format(Date.parse(timestamp))} UTC</time>`;
}
