/** A field of several lines, with its label, hint and error, linked for accessibility. */
import { attributes, html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { Site } from "../../site.ts";
import { faultLine } from "./faults.ts";

interface TextArea {
  /** Its name in the form, and its element ID. */
  readonly id: string;
  readonly label: string;
  /** As submitted. */
  readonly value: string;
  readonly hint: string;
  readonly fault: string | undefined;
}

export function textArea(site: Site, { id, label, value, hint, fault }: TextArea): Html {
  return html`<div class="field">
    <div class="above"><label for="${id}">${label}</label></div>
    <textarea
      id="${id}"
      name="${id}"
      rows="3"
      required
      spellcheck="false"
      aria-describedby="${fault === undefined ? `${id}-hint` : `${id}-hint ${id}-fault`}"
      ${fault !== undefined && attributes`aria-invalid="true"`}
    >
${value}</textarea>
    <p class="hint" id="${id}-hint">${hint}</p>
    ${faultLine(site, id, fault)}
  </div>`;
}
