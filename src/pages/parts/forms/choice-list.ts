/** A list of checkboxes in a frame; a long one scrolls. */
import { attributes, html } from "../../html.ts";
import type { Html } from "../../html.ts";

interface ChoiceList {
  /** For screen readers. */
  readonly label: string;
  /** The field of the form. */
  readonly name: string;
  readonly choices: readonly { readonly value: string; readonly text: Html | string; readonly isChosen: boolean }[];
}

/** Longer lists scroll. */
const open = 8;

export function choiceList({ label, name, choices }: ChoiceList): Html {
  return html`<div
    class="choices ${choices.length > open ? "scrolls" : ""}"
    role="group"
    aria-label="${label}"
    ${choices.length > open && attributes`tabindex="0"`}
  >
    ${choices.map(
      ({ value, text, isChosen }) =>
        html`<label class="choice"
          ><input type="checkbox" name="${name}" value="${value}" ${isChosen && attributes`checked`} />
          <span>${text}</span></label
        >`,
    )}
  </div>`;
}
