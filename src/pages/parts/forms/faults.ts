/** Faults of a form: the notice above it, which links to each invalid field, and the line below a group of choices. */
import { html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { Site } from "../../site.ts";
import { icon } from "../icon.ts";
import { notice } from "../notice.ts";

/** The first sentence about each invalid field, by its name in the form. */
export type FieldFaults = Readonly<Record<string, string>>;

export function faultNotice(site: Site, faults: FieldFaults): Html | false {
  const all = Object.entries(faults);
  if (all.length === 0) return false;
  return notice(site, {
    kind: "danger",
    title: all.length === 1 ? "One field needs a change" : `${all.length} fields need a change`,
    text: html`${all.map(([name, sentence]) => html`<a class="line" href="#${name}">${sentence}</a> `)}`,
  });
}

/** The fault of a group of choices, below it; a field shows its own. */
export function faultLine(site: Site, id: string, fault: string | undefined): Html | false {
  return fault !== undefined && html`<p class="fault" id="${id}-fault">${icon(site, "circle-alert")} ${fault}</p>`;
}
