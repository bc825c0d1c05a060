/** A form field with its label, hint and error, linked for accessibility. */
import { attributes, html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { Site } from "../../site.ts";
import { icon } from "../icon.ts";

interface FormField {
  /** Its name in the form, and its element ID. */
  readonly id: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password" | "url";
  readonly autocomplete:
    | "username"
    | "name"
    | "current-password"
    | "new-password"
    | "one-time-code"
    | "organization"
    | "off";
  /** The submitted value; never a password. */
  readonly value?: string;
  readonly hint?: string;
  /** Its error, as a sentence. */
  readonly fault?: string | undefined;
  /** Shown beside the label. */
  readonly aside?: Html;
  readonly autofocus?: boolean;
  /** Browsers may submit it empty; default: they may not. */
  readonly isOptional?: boolean;
  readonly placeholder?: string;
  /** Offered while typing; others may be typed too. */
  readonly suggestions?: readonly Suggestion[] | undefined;
}

export interface Suggestion {
  readonly value: string;
  readonly text?: string | undefined;
}

export function field(
  site: Site,
  {
    id,
    label,
    type = "text",
    autocomplete,
    value = "",
    hint,
    fault,
    aside,
    autofocus = false,
    isOptional = false,
    placeholder,
    suggestions,
  }: FormField,
): Html {
  const described = [hint === undefined ? "" : `${id}-hint`, fault === undefined ? "" : `${id}-fault`].join(" ").trim();
  const more = [
    described !== "" && attributes`aria-describedby="${described}"`,
    fault !== undefined && attributes`aria-invalid="true"`,
    autofocus && attributes`autofocus`,
    !isOptional && attributes`required`,
    placeholder !== undefined && attributes`placeholder="${placeholder}"`,
    suggestions !== undefined && attributes`list="${id}-list"`,
    // Names follow the direction of their script while typed.
    type === "text" && attributes`dir="auto"`,
  ];
  const input = html`<input
    id="${id}"
    name="${id}"
    type="${type}"
    value="${type === "password" ? "" : value}"
    autocomplete="${autocomplete}"
    ${more}
  />`;
  return html`<div class="field">
    <div class="above"><label for="${id}">${label}</label>${aside}</div>
    ${type === "password" ? withButton(site, input) : input}
    ${
      suggestions !== undefined &&
      html`<datalist id="${id}-list">
        ${suggestions.map(({ value: offered, text = offered }) => html`<option value="${offered}">${text}</option>`)}
      </datalist>`
    }
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${fault !== undefined && html`<p class="fault" id="${id}-fault">${icon(site, "circle-alert")} ${fault}</p>`}
  </div>`;
}

/** Hidden until the script is loaded. */
function withButton(site: Site, input: Html): Html {
  return html`<show-password class="with-button">
    ${input}
    <button type="button" aria-label="Show password" aria-pressed="false" hidden>
      ${icon(site, "eye", { kind: "shown" })}${icon(site, "eye-off", { kind: "unshown" })}
    </button>
  </show-password>`;
}
