/** Dates and times as text of a time zone, with the exact time in `datetime`. */
import { memoize } from "../../kit/memoize.ts";
import { html } from "../html.ts";
import type { Html } from "../html.ts";

/** Cached: creating a formatter costs more than a page. A month name is unambiguous everywhere. */
const days = memoize(50, (zone) => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: zone }));
const daysAndTimes = memoize(
  50,
  (zone) => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: zone }),
);

/** `12 Oct 2026`. */
export function day(zone: string, timestamp: string): Html {
  return html`<time datetime="${timestamp}">${days(zone).format(Date.parse(timestamp))}</time>`;
}

/** `12 Oct 2026, 14:41:07`. */
export function dayAndTime(zone: string, timestamp: string): Html {
  return html`<time datetime="${timestamp}">${dayAndTimeText(zone, timestamp)}</time>`;
}

/** The same without markup, within a sentence. */
export function dayAndTimeText(zone: string, timestamp: string): string {
  return daysAndTimes(zone).format(Date.parse(timestamp));
}
