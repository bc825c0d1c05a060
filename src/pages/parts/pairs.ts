/** Names and values. An empty value leaves its row out. */
import { html } from "../html.ts";
import type { Html, HtmlValue } from "../html.ts";

export function pairs(rows: readonly (readonly [name: string, value: HtmlValue])[]): Html {
  return html`<dl class="pairs">
    ${rows
      .filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false)
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;
}
