/** The matrix of scopes in a form: a row per kind of records, a checkbox to see and one to change. */
import { attributes, html } from "../html.ts";
import type { Html } from "../html.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { faultLine } from "../parts/forms/faults.ts";
import type { Site } from "../site.ts";
import { scopeRowsOf } from "./scope.texts.ts";

interface ScopeMatrix {
  readonly legend: string;
  readonly hint: string;
  /** Those that can be chosen. */
  readonly offered: readonly ScopeName[];
  readonly chosen: readonly string[];
  readonly fault: string | undefined;
}

export function scopeMatrix(site: Site, { legend, hint, offered, chosen, fault }: ScopeMatrix): Html {
  const checked = new Set(chosen);
  const box = (label: string, scope: string | null) =>
    scope === null
      ? html`<span class="c" aria-hidden="true">–</span>`
      : html`<span class="c"
          ><input
            type="checkbox"
            name="scopes"
            value="${scope}"
            aria-label="${label}"
            ${checked.has(scope) && attributes`checked`}
        /></span>`;
  return html`<fieldset class="group" id="scopes">
    <legend>${legend}</legend>
    <p class="hint">${hint}</p>
    <div class="matrix">
      <span class="h">Records</span><span class="h c">See</span><span class="h c">Change</span>
      ${scopeRowsOf(offered).map(
        ({ title, see, change }) =>
          html`<span>${title}</span>${box(`See: ${title}`, see)}${box(`Change: ${title}`, change)}`,
      )}
    </div>
    ${faultLine(site, "scopes", fault)}
  </fieldset>`;
}
